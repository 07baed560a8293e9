import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LIMITS, parseJson } from '@signalbox/protocol';
import * as z from 'zod';
import { assertUnfiltered, changedFiles, namesOf, restoreFiles, write } from './act-on-files.ts';
import {
  ChangeConflictError,
  ChangeLimitError,
  ChangeNotFoundError,
  UndoNotFoundError,
} from './changes-errors.ts';
import { assertNothingInWay, otherFileIn, removeEmptyFolder } from './files-in-way.ts';
import type { Repository } from './repository.ts';

const content = z.object({
  kind: z.enum(['none', 'file', 'link']),
  mode: z.number(),
  /** Of the bytes of a file, or where a link leads. */
  digest: z.string(),
});

const discarded = z.object({
  root: z.string(),
  /** Lines for `git update-index --index-info`. */
  index: z.string(),
  files: z.array(z.object({ path: z.string(), before: content, after: content })),
});

type Content = z.infer<typeof content>;
type Discarded = z.infer<typeof discarded>;

const META = 'discarded.json';

/** Each may have 4096 bytes, and no program is given more than some hundred thousand. */
const NAMED_AT_ONCE = 25;

/** Files that somebody discarded, kept for a while so that it can be undone. */
export class DiscardedFiles {
  readonly #folder: string;

  /** `folder` is where they are kept. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Make files what they are in the last commit; the name of it, to undo it by. Raises `CHANGE_NOT_FOUND` or `CHANGE_LIMIT`. */
  async discard(repository: Repository, paths: readonly string[]): Promise<string> {
    const files = await changedFiles(repository, paths);
    const submodule = files.find(({ isSubmodule }) => isSubmodule);
    if (submodule) throw new ChangeNotFoundError(submodule.path);
    const names = files.flatMap(namesOf);
    await assertUnfiltered(repository, names);
    await assertNothingInWay(repository, files);
    const id = randomUUID();
    const kept = join(this.#folder, id);
    await mkdir(kept, { recursive: true, mode: 0o700 });
    try {
      const before = await this.#keep(repository, names, kept);
      const index = await indexLines(repository, names);
      const untracked = files.filter(({ state }) => state === 'untracked').map(({ path }) => path);
      const meta = { root: repository.root, index, files: before };
      // Before anything is changed: a hub that is killed meanwhile has lost nothing.
      await writeFile(join(kept, META), JSON.stringify(meta));
      // First: one of them may be where a file is to come back.
      for (const path of untracked) await unlink(await safePath(repository, path));
      await restoreFiles(repository, files);
      await writeFile(join(kept, META), JSON.stringify(await withAfter(repository, meta)));
    } catch (error) {
      await this.#giveBack(repository, kept).catch(() => {});
      throw error;
    }
    await this.#tidyUp();
    return id;
  }

  /** Give back what was discarded. Raises `UNDO_NOT_FOUND`, or `CHANGE_CONFLICT` when somebody has changed it since. */
  async undo(repository: Repository, id: string): Promise<void> {
    const kept = join(this.#folder, id);
    const meta = await readMeta(kept);
    if (!meta || meta.root !== repository.root) throw new UndoNotFoundError();
    const known = new Set(meta.files.map(({ path }) => path));
    for (const { path, before, after } of meta.files) {
      // Where a file is to be again there may be a folder by now.
      const other = before.kind === 'none' ? undefined : await otherFileIn(repository.root, path, known);
      if (other !== undefined || !isSame(await contentAt(repository, path), after))
        throw new ChangeConflictError(other ?? path, kept);
    }
    await this.#giveBack(repository, kept);
    await rm(kept, { recursive: true, force: true });
  }

  /** Copies of the files as they are. */
  async #keep(repository: Repository, paths: readonly string[], kept: string): Promise<Discarded['files']> {
    const files: Discarded['files'] = [];
    let bytes = 0;
    for (const [at, path] of paths.entries()) {
      const name = await safePath(repository, path);
      const stats = await lstat(name).catch(() => undefined);
      bytes += stats?.size ?? 0;
      if (bytes > LIMITS.discardedBytes.most) throw new ChangeLimitError(LIMITS.discardedBytes);
      const before = await contentAt(repository, path, join(kept, String(at)));
      files.push({ path, before, after: before });
    }
    return files;
  }

  async #giveBack(repository: Repository, kept: string): Promise<void> {
    const meta = await readMeta(kept);
    if (!meta) return;
    // All are removed before any is written: one may be in the folder that another has become.
    for (const { path } of meta.files) {
      const name = await safePath(repository, path);
      const stats = await lstat(name).catch(() => undefined);
      if (stats && !stats.isDirectory()) await rm(name, { force: true });
    }
    for (const [at, { path, before }] of meta.files.entries()) {
      if (before.kind === 'none') continue;
      const name = await safePath(repository, path);
      if ((await lstat(name).catch(() => undefined))?.isDirectory()) await removeEmptyFolder(name);
      await mkdir(dirname(name), { recursive: true });
      if (before.kind === 'link') await symlink(before.digest, name);
      else {
        await copyFile(join(kept, String(at)), name);
        await chmod(name, before.mode & 0o777);
      }
    }
    await write(repository, ['update-index', '-z', '--index-info'], { input: meta.index });
  }

  /** The oldest are forgotten. */
  async #tidyUp(): Promise<void> {
    const names = await readdir(this.#folder);
    const dated = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await lstat(join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const old = dated.toSorted((one, other) => other.at - one.at).slice(LIMITS.keptDiscards.most);
    for (const { name } of old) await rm(join(this.#folder, name), { recursive: true, force: true });
  }
}

async function readMeta(kept: string): Promise<Discarded | undefined> {
  const text = await readFile(join(kept, META), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : discarded.parse(parseJson(text));
}

async function withAfter(repository: Repository, meta: Discarded): Promise<Discarded> {
  const files: Discarded['files'] = [];
  // One after the other: what came back may be many and long.
  for (const file of meta.files) files.push({ ...file, after: await contentAt(repository, file.path) });
  return { ...meta, files };
}

/** What the index has of some paths; of those that it lacks, that it does. */
async function indexLines({ git }: Repository, paths: readonly string[]): Promise<string> {
  const lines = paths.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`);
  for (let at = 0; at < paths.length; at += NAMED_AT_ONCE) {
    const words = ['ls-files', '--stage', '-z', '--', ...paths.slice(at, at + NAMED_AT_ONCE)];
    const { stdout } = await git.run(words, { maxBytes: LIMITS.changeListBytes.most });
    lines.push(stdout.toString());
  }
  return lines.join('');
}

/** What is at a path; the bytes of a file are copied to `copy` as they are read. */
async function contentAt(repository: Repository, path: string, copy?: string): Promise<Content> {
  const name = join(repository.root, path);
  const stats = await lstat(name).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { kind: 'link', mode: stats.mode, digest: await readlink(name) };
  // What takes its place meanwhile may be a link, or a pipe that nobody writes to.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = stats?.isFile() ? await open(name, flags).catch(() => undefined) : undefined;
  try {
    const opened = await file?.stat();
    if (!file || !opened?.isFile()) return { kind: 'none', mode: 0, digest: '' };
    const hash = createHash('sha256');
    const to = copy === undefined ? undefined : await open(copy, 'wx', 0o600);
    try {
      // No more than it had: somebody may write to it without end.
      const range = { autoClose: false, end: opened.size - 1 };
      for await (const chunk of opened.size > 0 ? file.createReadStream(range) : []) {
        const bytes = Buffer.from(chunk);
        hash.update(bytes);
        await to?.write(bytes);
      }
    } finally {
      await to?.close();
    }
    return { kind: 'file', mode: opened.mode, digest: hash.digest('hex') };
  } finally {
    await file?.close();
  }
}

function isSame(one: Content, other: Content): boolean {
  return one.kind === other.kind && one.digest === other.digest;
}

/** Where a path leads; a folder on the way that is a link could lead anywhere. */
async function safePath({ root }: Repository, path: string): Promise<string> {
  let folder = dirname(join(root, path));
  for (;;) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === folder) return join(root, path);
    if (real !== undefined || folder.length <= root.length) throw new ChangeNotFoundError(path);
    // It is not there, and is made when it is needed: the one above it counts.
    folder = dirname(folder);
  }
}
