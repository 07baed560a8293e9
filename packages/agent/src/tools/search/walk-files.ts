import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { enterScope, type IgnoreScope, isIgnored } from './ignore-rules.ts';

/** How many folders are listed at a time. */
const FOLDERS_AT_ONCE = 32;

/** What version control keeps for itself. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

/** How to walk. */
export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Leave out what .gitignore files say, beginning with these. */
  readonly ignore?: { readonly scope: IgnoreScope | undefined };
  /** Files that are of interest even if they are ignored. */
  readonly keepsFile?: (path: string) => boolean;
  /** Leave out folders in which nothing can be of interest. */
  readonly entersFolder?: (path: string) => boolean;
}

/** Every file below a folder. Links are left out: what they lead to is elsewhere, or was seen already. */
export async function* walkFiles(root: string, options: WalkOptions): AsyncGenerator<string> {
  const queue: Folder[] = [{ path: root, scope: options.ignore?.scope }];
  while (queue.length > 0) {
    options.signal.throwIfAborted();
    // The newest first: the queue stays as short as the tree is deep.
    const batch = queue.splice(-FOLDERS_AT_ONCE);
    const listed = await Promise.all(batch.map((folder) => list(folder, options)));
    for (const { files, folders } of listed) {
      yield* files;
      for (const found of folders) queue.push(found);
    }
  }
}

interface Folder {
  readonly path: string;
  readonly scope: IgnoreScope | undefined;
}

async function list(
  folder: Folder,
  { ignore, keepsFile = () => false, entersFolder = () => true }: WalkOptions,
): Promise<{ files: string[]; folders: Folder[] }> {
  // A folder that may not be read, or is gone by now, has nothing to show.
  const entries: Dirent[] = await readdir(folder.path, { withFileTypes: true }).catch(() => []);
  const hasRules = ignore && entries.some(({ name }) => name === '.gitignore');
  const scope = hasRules ? enterScope(folder.path, folder.scope) : folder.scope;
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    const isFolder = entry.isDirectory();
    if (ignore && isIgnored(path, isFolder, scope) && (isFolder || !keepsFile(path))) continue;
    if (entry.isFile()) files.push(path);
    else if (isFolder && !NEVER_ENTERED.has(entry.name) && entersFolder(path)) folders.push({ path, scope });
  }
  return { files, folders };
}
