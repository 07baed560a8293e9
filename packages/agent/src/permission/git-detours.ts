import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gitFolderOf, isBare } from './git-settings.ts';

/** More repositories that lend each other objects are not followed. */
const MAX_LENDERS = 8;

/** A list of lenders is short. */
const MAX_LIST_BYTES = 64 * 1024;

/**
 * Where links lead git to other files; deeper ones are named by what only the other repository knows. Hooks are judged
 * with the settings.
 */
const FOLDERS =
  '. info logs refs refs/heads refs/remotes refs/tags objects objects/info objects/pack rebase-merge rebase-apply sequencer'.split(
    ' ',
  );

/**
 * What git reads of other places when it is called in a folder: where a `.git` file or link leads, the files behind links
 * among its own, and the objects that another repository lends. A working tree that its repository knows is at home there.
 */
export function gitDetours(folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const own = gitFolderOf(at);
    if (typeof own === 'string') found.push(join(at, '.git'));
    else if (own) found.push(...detoursOf(own.path, at));
    else if (isBare(at)) found.push(...detoursOf(at, undefined));
    if (at === dirname(at)) return found;
  }
}

function detoursOf(gitFolder: string, workFolder: string | undefined): readonly string[] {
  const common = textOf(join(gitFolder, 'commondir'))?.replace(/[\r\n]+$/, '');
  const shared = common === undefined ? gitFolder : resolve(gitFolder, common);
  const found: string[] = [];
  const isKnown = workFolder !== undefined && isKnownThere(gitFolder, shared, workFolder);
  if (workFolder !== undefined && !isKnown) found.push(realOf(gitFolder));
  if (shared !== gitFolder && !isKnown) found.push(realOf(shared));
  for (const own of new Set([gitFolder, shared])) found.push(...linksIn(own));
  const stores = [join(shared, 'objects')];
  for (const store of stores) {
    for (const lender of lendersOf(store)) {
      if (stores.includes(lender)) continue;
      found.push(realOf(lender));
      if (stores.length > MAX_LENDERS) return [...found, '/'];
      stores.push(lender);
    }
  }
  return found;
}

/** Whether a repository has noted this working tree as its own: one that is somebody else's has not. */
function isKnownThere(gitFolder: string, shared: string, workFolder: string): boolean {
  const marker = join(workFolder, '.git');
  if (isLink(marker)) return false;
  if (gitFolder === marker) return shared === gitFolder;
  // A submodule; the settings were compared with its folder.
  if (shared === gitFolder)
    return (
      /^\s*worktree\s*=/m.test(textOf(join(gitFolder, 'config')) ?? '') && basename(gitFolder) !== '.git'
    );
  const noted = textOf(join(gitFolder, 'gitdir'))?.trim();
  return (
    noted !== undefined &&
    realOf(noted) === realOf(marker) &&
    realOf(dirname(gitFolder)) === join(realOf(shared), 'worktrees')
  );
}

/** The stores from which a store takes objects that it has not. */
function lendersOf(store: string): readonly string[] {
  const lines = textOf(join(store, 'info/alternates'))?.split('\n') ?? [];
  // A path in quotes has escapes.
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.startsWith('"') ? '/' : resolve(store, line)));
}

const KEPT = 32;
const SETTLED_MS = 5_000;

/** The links that were found, as long as the folders are as they were. */
const links = new Map<string, { readonly stamp: string; readonly found: readonly string[] }>();

function linksIn(gitFolder: string): readonly string[] {
  let newest = 0;
  let stamp = '';
  const folders = FOLDERS.map((name) => join(gitFolder, name)).filter((folder) => {
    const info = statSync(folder, { throwIfNoEntry: false });
    if (!info?.isDirectory()) return false;
    newest = Math.max(newest, info.mtimeMs, info.ctimeMs);
    stamp += `${info.mtimeMs} ${info.ino} `;
    return true;
  });
  const before = links.get(gitFolder);
  if (before?.stamp === stamp) return before.found;
  const found = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink() && !/^(?:hooks|lfs)$/.test(entry.name))
      .map((entry) => realOf(join(folder, entry.name))),
  );
  if (links.size >= KEPT) links.clear();
  // A folder that just changed may change once more in the same moment.
  if (Date.now() - newest > SETTLED_MS) links.set(gitFolder, { stamp, found });
  return found;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Where a path leads; what leads nowhere is read nowhere, but may be by the time that git runs. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function textOf(path: string): string | undefined {
  try {
    return statSync(path).size > MAX_LIST_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
