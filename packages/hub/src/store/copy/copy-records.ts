import { DAMAGED_CHECK } from '../record.ts';
import { BLOCK_BYTES } from '../sql/cut-runs.ts';
import type { Run } from '../sql/run.ts';
import { StoreCopyDiffersError } from '../store-errors.ts';
import { type CopiedRow, SESSION } from './copied-tables.ts';
import type { CopySource, CopyTarget, SessionRun } from './copy-sides.ts';
import { isSameRow, pairsOf, removeGone } from './copy-table.ts';
import { joined, wholeRuns } from './lost-run.ts';

/** What is stored in one transaction, in bytes and in sessions. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_SESSIONS = 500;

/** No session has this position: its entries are still being copied. */
const UNFINISHED = -1;

/** What was copied. */
export interface CopiedRecords {
  sessions: number;
  entries: number;
  bytes: number;
}

/**
 * Copies sessions with their entries. The row of a session is written when all of its entries are there, so that whoever goes on
 * after a kill finds by its row what is still to be copied.
 */
export class RecordsCopy {
  readonly #source: CopySource;
  readonly #target: CopyTarget;
  readonly #onProgress: (copied: CopiedRecords) => void;
  readonly #copied: CopiedRecords = { sessions: 0, entries: 0, bytes: 0 };
  #rows = new Map<number, CopiedRow>();
  #runs: SessionRun[] = [];
  #checks = new Map<number, { first: number; checks: number[] }>();
  #bytes = 0;

  constructor(
    { source, target }: { source: CopySource; target: CopyTarget },
    onProgress: (copied: CopiedRecords) => void,
  ) {
    this.#source = source;
    this.#target = target;
    this.#onProgress = onProgress;
  }

  /** Raises `STORE_COPY_DIFFERS` when something is read back other than it was written. */
  async run(): Promise<CopiedRecords> {
    const sides = { source: this.#source, target: this.#target };
    await this.#target.transaction(() => removeGone(SESSION, sides));
    const columns = Object.keys(SESSION.columns);
    // First all of them: what is read goes on while the target is written to.
    const changed: { row: CopiedRow; isNew: boolean }[] = [];
    await this.#target.transaction(async () => {
      for await (const pair of pairsOf(SESSION, columns, sides)) {
        if (pair.source && isSameRow(columns, pair)) this.#copied.sessions += 1;
        else if (pair.source) changed.push({ row: pair.source, isNew: !pair.target });
      }
    });
    for (const { row, isNew } of changed) await this.#copySession(row, isNew);
    await this.#flush();
    return this.#copied;
  }

  async #copySession(row: CopiedRow, isNew: boolean): Promise<void> {
    const [session, trimmed] = [Number(row.number), Number(row.trimmed)];
    const last = Math.max(await this.#source.lastOf(session), trimmed);
    const from = isNew ? trimmed + 1 : await this.#startOf(session, trimmed, last);
    this.#rows.set(session, { ...row, position: UNFINISHED });
    for await (const run of joined(wholeRuns(this.#source.runs(session, from), from, last), BLOCK_BYTES)) {
      this.#add(session, run);
      if (this.#bytes >= BATCH_BYTES) await this.#flush();
    }
    this.#rows.set(session, row);
    this.#copied.sessions += 1;
    if (this.#rows.size >= BATCH_SESSIONS) await this.#flush();
  }

  /** The first entry that the target lacks; all that it has goes when the source has other entries under the same numbers. */
  async #startOf(session: number, trimmed: number, last: number): Promise<number> {
    const end = await this.#target.endOf(session);
    const isBehind = end.last <= last;
    const check =
      isBehind && end.last > trimmed ? await this.#source.checkAt(session, end.last) : DAMAGED_CHECK;
    const isSame = check === end.check || check === DAMAGED_CHECK || end.check === DAMAGED_CHECK;
    if (isBehind && isSame) return Math.max(end.last, trimmed) + 1;
    await this.#target.transaction(() => this.#target.dropRuns(session));
    return trimmed + 1;
  }

  #add(session: number, run: Run): void {
    this.#runs.push({ session, run });
    const known = this.#checks.get(session) ?? { first: run.first, checks: [] };
    known.checks.push(...checksOf(run));
    this.#checks.set(session, known);
    this.#bytes += run.body.length;
    this.#copied.bytes += run.body.length;
    this.#copied.entries += run.count;
  }

  async #flush(): Promise<void> {
    const [rows, runs, checks] = [this.#rows, this.#runs, this.#checks];
    if (rows.size === 0) return;
    this.#rows = new Map();
    this.#runs = [];
    this.#checks = new Map();
    this.#bytes = 0;
    await this.#target.transaction(async () => {
      await this.#target.put(SESSION, [...rows.values()]);
      await this.#target.trim([...rows.keys()]);
      await this.#target.addRuns(runs);
      for (const [session, expected] of checks) await this.#compare(session, expected);
    });
    this.#onProgress(this.#copied);
  }

  /** What was written is read back, and each entry compared by its check. */
  async #compare(session: number, { first, checks }: { first: number; checks: number[] }): Promise<void> {
    const stored = (await this.#target.runsFrom(session, first)).flatMap(checksOf);
    const at = checks.findIndex((check, index) => stored[index] !== check);
    if (at === -1 && stored.length === checks.length) return;
    throw new StoreCopyDiffersError(`entry ${first + Math.max(at, 0)} of session ${session}`);
  }
}

/** The checks of all entries; a damaged one has that of damage. */
function checksOf(run: Run): number[] {
  if (run.isIntact) return run.checks();
  const damaged = new Set(run.damaged());
  return Array.from({ length: run.count }, (_, index) =>
    damaged.has(run.first + index) ? DAMAGED_CHECK : run.place(index).check,
  );
}
