import { createHash, randomUUID } from 'node:crypto';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
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
      await restoreFiles(repository, files);
      for (const path of untracked) await unlink(await safePath(repository, path));
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
    for (const { path, after } of meta.files)
      if (!isSame(await contentAt(repository, path), after)) throw new ChangeConflictError(path, kept);
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
      if (stats?.isFile()) await copyFile(name, join(kept, String(at)));
      const before = await contentAt(repository, path);
      files.push({ path, before, after: before });
    }
    return files;
  }

  async #giveBack(repository: Repository, kept: string): Promise<void> {
    const meta = await readMeta(kept);
    if (!meta) return;
    for (const [at, { path, before }] of meta.files.entries()) {
      const name = await safePath(repository, path);
      await rm(name, { force: true });
      if (before.kind === 'none') continue;
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
  const files = await Promise.all(
    meta.files.map(async (file) => ({ ...file, after: await contentAt(repository, file.path) })),
  );
  return { ...meta, files };
}

/** What the index has of some paths; of those that it lacks, that it does. */
async function indexLines({ git }: Repository, paths: readonly string[]): Promise<string> {
  const { stdout } = await git.run(['ls-files', '--stage', '-z', '--', ...paths], {
    maxBytes: LIMITS.changeListBytes.most,
  });
  const removed = paths.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`).join('');
  return removed + stdout.toString();
}

async function contentAt(repository: Repository, path: string): Promise<Content> {
  const name = join(repository.root, path);
  const stats = await lstat(name).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { kind: 'link', mode: stats.mode, digest: await readlink(name) };
  if (!stats?.isFile()) return { kind: 'none', mode: 0, digest: '' };
  const digest = createHash('sha256')
    .update(await readFile(name))
    .digest('hex');
  return { kind: 'file', mode: stats.mode, digest };
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
