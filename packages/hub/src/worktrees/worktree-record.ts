import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SetupState } from '@signalbox/protocol/hub';
import { replaceFile } from '../base/replace-file.ts';
import { slugOf } from './slug.ts';

/** What the hub knows of a worktree that it has made. Agents do not work in the folder where it is kept. */
export interface WorktreeRecord {
  /** The same is in git's folder of the worktree, and in no other. */
  id: string;
  /** `making`: nobody was told of it yet. */
  state: 'making' | 'ready';
  repository: string;
  slug: string;
  /** The repository's main working tree. */
  root: string;
  folder: string;
  branch: string;
  /** What it began at, as it was named, and which commit that was. */
  base: string | null;
  commit: string;
  session: string;
  createdAt: number;
  setup: SetupState;
  command: string | null;
}

/** Names of repositories begin with a letter or a digit. */
const RECORDS = '.records';

/** The file that says which repository a folder of worktrees is for. */
const ROOT_FILE = 'root';

/** Where worktrees are, and what is known of them: `worktrees/<repository>/<slug>`, and `worktrees/.records` beside them. */
export class WorktreeRecords {
  readonly #home: string;

  constructor(home: string) {
    this.#home = join(home, 'worktrees');
  }

  folderOf(repository: string, slug: string): string {
    return join(this.#home, repository, slug);
  }

  /** The name of a repository's folder: that of its own, and a number where another has it. */
  nameOf(root: string): string {
    const plain = slugOf(basename(root)) || 'repository';
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? plain : `${plain}-${count}`;
      const folder = join(this.#home, RECORDS, name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, ROOT_FILE);
      const known = textOf(file);
      if (known === root) return name;
      if (known === undefined && isNewFile(file, root)) return name;
    }
  }

  /** Take a name; false when it is taken. */
  claim(record: WorktreeRecord): boolean {
    return isNewFile(this.#file(record), JSON.stringify(record));
  }

  keep(record: WorktreeRecord): void {
    replaceFile(this.#file(record), JSON.stringify(record));
  }

  /** Unless another worktree has taken its name meanwhile. */
  forget(record: WorktreeRecord): void {
    if (this.get(record.repository, record.slug)?.id !== record.id) return;
    for (const file of [this.#file(record), this.outputFile(record)]) rmSync(file, { force: true });
  }

  /** Where the output of its set-up is kept. */
  outputFile({ repository, slug }: Pick<WorktreeRecord, 'repository' | 'slug'>): string {
    return join(this.#home, RECORDS, repository, `${slug}.log`);
  }

  get(repository: string, slug: string): WorktreeRecord | undefined {
    return this.all().find((record) => record.repository === repository && record.slug === slug);
  }

  ofSession(session: string): WorktreeRecord | undefined {
    return this.all().find((record) => record.session === session);
  }

  all(): WorktreeRecord[] {
    const root = join(this.#home, RECORDS);
    return namesIn(root).flatMap((repository) =>
      namesIn(join(root, repository)).flatMap((name) => {
        const record = name.endsWith('.json') ? readRecord(join(root, repository, name)) : undefined;
        return record ? [record] : [];
      }),
    );
  }

  /** Folders among the worktrees of which nothing is known. */
  strangers(): { repository: string; slug: string; folder: string }[] {
    const known = new Set(this.all().map(({ folder }) => folder));
    return namesIn(this.#home)
      .filter((repository) => repository !== RECORDS)
      .flatMap((repository) =>
        namesIn(join(this.#home, repository)).map((slug) => ({
          repository,
          slug,
          folder: this.folderOf(repository, slug),
        })),
      )
      .filter(({ folder }) => !known.has(folder));
  }

  #file({ repository, slug }: WorktreeRecord): string {
    return join(this.#home, RECORDS, repository, `${slug}.json`);
  }
}

/** Make a file that must not be there yet, whole or not at all: two who try at once are told apart. */
function isNewFile(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The text of one of our files; undefined when it is not there. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

function readRecord(file: string): WorktreeRecord | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
    return JSON.parse(readFileSync(file, 'utf8')) as WorktreeRecord;
  } catch {
    // A worktree whose record cannot be read is not proven ours.
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
