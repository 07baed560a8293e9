import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LIMITS, messageOf, parseJson, SignalboxError } from '@signalbox/protocol';
import type { TurnChanges } from '@signalbox/protocol/hub';
import { type Git, GitTimeoutError, ScratchGit, SnapshotLimitError } from '@signalbox/transport/git';
import * as z from 'zod';
import { replaceFile } from '../base/replace-file.ts';
import { ChangeBaseNotFoundError } from './changes-errors.ts';
import { compareFiles } from './compared-files.ts';
import { Repository } from './repository.ts';

const snapshot = z.object({
  root: z.string(),
  tree: z.string(),
  at: z.number(),
  /** Files that were too large to be kept. */
  large: z.array(z.string()),
});

/** Why there is none, in words. */
const missing = z.object({ at: z.number(), leftOut: z.string() });

const noted = z.union([snapshot, missing]);

const turn = z.object({
  turn: z.number(),
  startedAt: z.number(),
  endedAt: z.number(),
  root: z.string(),
  before: z.string(),
  after: z.string(),
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  leftOut: z.string().nullable(),
});

const kept = z.object({
  start: noted.nullable(),
  /** The files as they were when the turn that runs began. */
  open: noted.nullable(),
  turns: z.array(turn),
  /** When git took too long, and its words. */
  slow: missing.nullable(),
});

/** The files of a folder as they were. */
export type Snapshot = z.infer<typeof snapshot>;

/** A turn with the files before and after it. */
export type KeptTurn = z.infer<typeof turn>;

type Noted = z.infer<typeof noted>;
type Kept = z.infer<typeof kept>;

const NOTHING: Kept = { start: null, open: null, turns: [], slow: null };

const NO_REPOSITORY = new Set([
  'REPOSITORY_NOT_FOUND',
  'REPOSITORY_BARE',
  'REPOSITORY_ELSEWHERE',
  'GIT_UNAVAILABLE',
]);

/** What took too long is not tried again with every turn. */
const SLOW_REST_MS = 10 * 60 * 1000;

/**
 * The files of a session's folder as they were when it began, and before and after each of its turns. They are kept beside the
 * repository, of which nothing is written to. One thing at a time.
 */
export class SessionSnapshots {
  readonly #folder: string;

  /** `folder` is where they are kept. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where git finds what is kept; nothing, where nothing is. */
  get objects(): string[] {
    const objects = join(this.#folder, 'objects');
    return existsSync(objects) ? [objects] : [];
  }

  /** The session begins: only the first time counts. */
  async begin(folder: string): Promise<void> {
    const known = await this.#read();
    if (known.start !== null) return;
    const start = await this.#note(folder);
    if (start) await this.#write({ ...(await this.#read()), start });
  }

  /** `isLate` says afterwards whether the agent may have changed something before all files were noted: what was known then counts. */
  async beginTurn(folder: string, isLate: () => Promise<boolean>): Promise<void> {
    const known = await this.#read();
    const at = Date.now();
    const isSlow = known.slow !== null && at - known.slow.at < SLOW_REST_MS;
    const now = isSlow ? { at, leftOut: known.slow?.leftOut ?? '' } : await this.#note(folder);
    const isTold = !(await isLate());
    const open = isTold || now === null || 'leftOut' in now ? now : lastKnown(known, now);
    if (open) await this.#write({ ...(await this.#read()), open });
  }

  /** The turn is over with this entry of the record; what it changed, unless nobody saw it begin. */
  async endTurn(folder: string, entry: number): Promise<TurnChanges | undefined> {
    const { open: before } = await this.#read();
    if (!before) return undefined;
    const after = 'leftOut' in before ? { ...before, at: Date.now() } : await this.#note(folder);
    const known = await this.#read();
    if (!after) return undefined;
    const ended = await this.#compare(entry, before, after);
    const turns = [...known.turns, ended].slice(-LIMITS.keptTurns.most);
    await this.#write({ ...known, open: null, turns });
    return viewOf(ended);
  }

  /** The turns whose changes are known, the newest first. */
  async turns(): Promise<TurnChanges[]> {
    return (await this.#read()).turns.map(viewOf).toReversed();
  }

  /** Raises `CHANGE_BASE_NOT_FOUND`. */
  async start({ root }: Repository): Promise<Snapshot> {
    const { start } = await this.#read();
    const what = 'What the files were when this session began';
    if (!start) throw new ChangeBaseNotFoundError(`${what} was not noted.`);
    if ('leftOut' in start) throw new ChangeBaseNotFoundError(`${what} was not noted: ${start.leftOut}`);
    if (start.root !== root) throw new ChangeBaseNotFoundError('The session began in another repository.');
    return start;
  }

  /** Raises `CHANGE_BASE_NOT_FOUND`. */
  async turn({ root }: Repository, entry: number | undefined): Promise<KeptTurn> {
    if (entry === undefined) throw new ChangeBaseNotFoundError('No turn was named.');
    const found = (await this.#read()).turns.find((one) => one.turn === entry);
    if (!found)
      throw new ChangeBaseNotFoundError('What this turn changed was not noted, or is too long ago.');
    if (found.leftOut !== null)
      throw new ChangeBaseNotFoundError(`What this turn changed was not noted: ${found.leftOut}`);
    if (found.root !== root) throw new ChangeBaseNotFoundError('That turn was in another repository.');
    return found;
  }

  /** Null where there is no repository with files, which whoever looks at the changes is told. */
  async #note(folder: string): Promise<Noted | null> {
    const at = Date.now();
    try {
      const { root } = await Repository.open(folder);
      const { git, large, tree } = await this.#take(root);
      await assertRoom(git);
      return { root, tree, at, large: large.slice(0, LIMITS.namedFiles.most) };
    } catch (error) {
      if (error instanceof SignalboxError && NO_REPOSITORY.has(error.code)) return null;
      const none = { at, leftOut: messageOf(error) };
      if (error instanceof GitTimeoutError) await this.#write({ ...(await this.#read()), slow: none });
      return none;
    }
  }

  async #take(root: string): Promise<{ git: Git; large: string[]; tree: string }> {
    const beside = await ScratchGit.open(root, this.#folder, { seconds: LIMITS.snapshotSeconds.most });
    const large = await beside.takeFiles();
    return { git: beside.git, large, tree: await beside.tree() };
  }

  async #compare(entry: number, before: Noted, after: Noted): Promise<KeptTurn> {
    const empty = { files: 0, added: 0, removed: 0 };
    const times = { turn: entry, startedAt: before.at, endedAt: after.at };
    const none = (leftOut: string): KeptTurn => ({
      ...times,
      ...empty,
      root: '',
      before: '',
      after: '',
      leftOut,
    });
    if ('leftOut' in before) return none(before.leftOut);
    if ('leftOut' in after) return none(after.leftOut);
    const { root } = after;
    if (before.root !== root) return none('The agent went to another repository meanwhile.');
    const trees = { ...times, root, before: before.tree, after: after.tree, leftOut: null };
    if (before.tree === after.tree) return { ...trees, ...empty };
    const { git } = await ScratchGit.open(root, this.#folder);
    const { files } = await compareFiles({ git }, [before.tree, after.tree], []);
    const sum = (name: 'added' | 'removed'): number =>
      files.reduce((total, { [name]: lines }) => total + (lines ?? 0), 0);
    return { ...trees, files: files.length, added: sum('added'), removed: sum('removed') };
  }

  async #read(): Promise<Kept> {
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    return text === undefined ? NOTHING : kept.parse(parseJson(text));
  }

  async #write(next: Kept): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    replaceFile(this.#file, JSON.stringify(next));
  }

  get #file(): string {
    return join(this.#folder, 'snapshots.json');
  }
}

/** Whether a folder may be in a repository: without git, which costs more than a look. */
export function mayBeInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}

/** Raises `SNAPSHOT_LIMIT` when a session has kept as much as it may. */
async function assertRoom(git: Git): Promise<void> {
  const told = await git.text(['count-objects', '-v']);
  const kib = Number(/^size: (\d+)$/m.exec(told)?.[1] ?? 0);
  if (kib * 1024 > LIMITS.keptSnapshotBytes.most) throw new SnapshotLimitError(LIMITS.keptSnapshotBytes);
}

/** The files as they were last noted. */
function lastKnown({ start, turns }: Kept, { at }: Noted): Noted {
  const last = turns.at(-1);
  if (last && last.leftOut === null) return { root: last.root, tree: last.after, at, large: [] };
  if (!last && start && 'tree' in start) return { ...start, at };
  return { at, leftOut: 'the agent had begun before all files were noted.' };
}

function viewOf({ turn: entry, startedAt, endedAt, files, added, removed, leftOut }: KeptTurn): TurnChanges {
  return { turn: entry, startedAt, endedAt, files, added, removed, leftOut };
}
