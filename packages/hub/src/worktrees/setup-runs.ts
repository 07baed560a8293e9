import { LIMITS } from '@signalbox/protocol';
import { type CommandEnd, endMarked, runMarked } from '@signalbox/transport/loop';
import { replaceFile } from '../base/replace-file.ts';
import { SetupFailedError } from './worktree-errors.ts';
import { textOf, type WorktreeRecord, type WorktreeRecords } from './worktree-record.ts';

/** The variable by which the processes of a set-up are found. */
const SETUP_MARK = 'SIGNALBOX_SETUP';

/** What of its output a failure is told with. */
const LAST_WORDS = 1000;

/** Runs the set-up commands of worktrees, and keeps what they said. */
export class SetupRuns {
  readonly #records: WorktreeRecords;
  readonly #running = new Map<string, { output: string; stop: AbortController }>();

  constructor(records: WorktreeRecords) {
    this.#records = records;
  }

  /** Run the command of a worktree. Raises `SETUP_FAILED`. */
  async run(record: WorktreeRecord, command: string): Promise<void> {
    const stop = new AbortController();
    const run = { output: '', stop };
    this.#running.set(record.id, run);
    this.#records.keep({ ...record, setup: 'running' });
    let end: CommandEnd;
    try {
      end = await runMarked({
        command,
        folder: record.folder,
        seconds: LIMITS.setupSeconds.most,
        mark: { name: SETUP_MARK, value: record.id },
        env: { SIGNALBOX_WORKTREE: record.folder, SIGNALBOX_REPOSITORY: record.root },
        signal: stop.signal,
        onOutput: (text) => {
          run.output = (run.output + text).slice(-LIMITS.setupOutputLength.most);
        },
      });
    } finally {
      this.#running.delete(record.id);
      replaceFile(this.#records.outputFile(record), run.output);
    }
    const isDone = end.how === 'exited' && end.code === 0;
    this.#records.keep({ ...record, setup: isDone ? 'done' : 'failed' });
    if (!isDone) throw new SetupFailedError(command, howOf(end, stop.signal), run.output.slice(-LAST_WORDS));
  }

  /** What it has said so far, or did. */
  outputOf(record: WorktreeRecord): string {
    return this.#running.get(record.id)?.output ?? textOf(this.#records.outputFile(record)) ?? '';
  }

  stop(record: WorktreeRecord): void {
    this.#running.get(record.id)?.stop.abort();
  }

  /** What a hub was killed over: it is run again with the next start of the agent. */
  settle(record: WorktreeRecord): WorktreeRecord {
    if (record.setup !== 'running') return record;
    endMarked({ name: SETUP_MARK, value: record.id });
    const waiting = { ...record, setup: 'waiting' } as const;
    this.#records.keep(waiting);
    return waiting;
  }
}

function howOf(end: CommandEnd, stop: AbortSignal): string {
  if (stop.aborted) return 'was stopped';
  if (end.how === 'timeout') return `did not end within ${LIMITS.setupSeconds.most} s and was killed`;
  if (end.how === 'not-run') return `could not be run (${end.message})`;
  return end.code === null ? 'was killed' : `failed with code ${end.code}`;
}
