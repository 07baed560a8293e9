import { type Dirent, lstatSync } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@signalbox/protocol';
import { isInside } from '../base/real-path.ts';
import { systemCode } from '../base/tool-failure.ts';
import { type OnProblem, orProblem, ProjectFileError } from './project-file-error.ts';
import type { SourceFolder } from './project-location.ts';

/** How many files and folders of a source are looked at. */
export const MAX_ENTRIES = 2000;

/** How deep folders of a source may lie. */
export const MAX_DEPTH = 8;

/** A file or folder, by the name it was found under; links are followed. */
export interface FoundEntry {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

/** The Markdown files below a folder, by name, folder by folder. Each folder is entered once, whatever links to it. */
export async function findMarkdown(
  folder: Pick<SourceFolder, 'path' | 'root' | 'only'>,
  onProblem: OnProblem,
): Promise<string[]> {
  if (folder.only !== undefined) {
    const file = (await listFolder(folder, onProblem)).find(({ name }) => name === folder.only);
    return file && !file.isFolder ? [file.path] : [];
  }
  const seen = new Set<string>();
  const found: string[] = [];
  const budget = { left: MAX_ENTRIES };
  if (!isThere(folder.path)) return found;
  const walk = async (path: string, depth: number): Promise<void> => {
    const real = await realpath(path).catch(() => path);
    if (seen.has(real) || budget.left < 0) return;
    seen.add(real);
    if (depth > MAX_DEPTH) {
      onProblem(`${path}: lies deeper than ${MAX_DEPTH} folders. It is left out.`);
      return;
    }
    for (const entry of await listFolder({ ...folder, path }, onProblem, budget)) {
      if (entry.isFolder) await walk(entry.path, depth + 1);
      else if (entry.name.endsWith('.md')) found.push(entry.path);
    }
  };
  await walk(folder.path, 0);
  return found;
}

/** What is in a folder, by name. One that is not there has nothing; what links out of the root is left out. */
export async function listFolder(
  { path, root }: Pick<SourceFolder, 'path' | 'root'>,
  onProblem: OnProblem,
  budget = { left: MAX_ENTRIES },
): Promise<FoundEntry[]> {
  if (!isThere(path)) return [];
  const entries = await orProblem(onProblem, async () => {
    if (root !== undefined) await mustStayInside(path, root);
    return readEntries(path, budget);
  });
  const found: FoundEntry[] = [];
  for (const entry of (entries ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const followed = await orProblem(onProblem, () => follow(join(path, entry.name), entry, root));
    if (followed) found.push(followed);
  }
  return found;
}

async function readEntries(path: string, budget: { left: number }): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(path)) {
      budget.left -= 1;
      if (budget.left < 0) break;
      entries.push(entry);
    }
  } catch (error) {
    if (isMissing(error)) return [];
    throw new ProjectFileError(path, `cannot be read (${messageOf(error)})`, error);
  }
  if (budget.left < 0) {
    throw new ProjectFileError(path, `there are more than ${MAX_ENTRIES} files and folders here`);
  }
  return entries;
}

async function follow(path: string, entry: Dirent, root: string | undefined): Promise<FoundEntry> {
  if (!entry.isSymbolicLink()) return { path, name: entry.name, isFolder: entry.isDirectory() };
  try {
    const target = await stat(path);
    if (root !== undefined) await mustStayInside(path, root);
    return { path, name: entry.name, isFolder: target.isDirectory() };
  } catch (error) {
    if (error instanceof ProjectFileError) throw error;
    throw new ProjectFileError(path, `links to nothing that can be read (${messageOf(error)})`, error);
  }
}

/** Throws when a path leads out of a folder; one that is not there leads nowhere. */
export async function mustStayInside(path: string, root: string): Promise<void> {
  const [real, realRoot] = await Promise.all([path, root].map((at) => realpath(at).catch(() => undefined)));
  if (real === undefined || realRoot === undefined || isInside(real, realRoot)) return;
  throw new ProjectFileError(path, `leads to ${real}, which is outside of ${root}`);
}

/** Most of the places that are looked at hold nothing; waiting for each would be a good part of a start. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}
