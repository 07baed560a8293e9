import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LinkLoopError } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { isInside } from '../base/real-path.ts';

/** No repository has settings that are longer; what is, is asked about. */
const MAX_SETTINGS_BYTES = 64 * 1024;

/** A hook that git runs when it only looks: `git status` renews the index. */
const READ_HOOK = 'post-index-change';

/** Settings of a repository that run nothing when git reads. Those of named parts (`[remote "x"]`) have a `*`. */
const INERT: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|compression|bigfilethreshold|preloadindex|untrackedcache|commitgraph|longpaths|abbrev|protectntfs|protecthfs|sparsecheckout|sparsecheckoutcone|trustctime|checkstat|editor|sharedrepository|whitespace|commentchar)$/,
  'remote.*': /^(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|gh-resolved)$/,
  'branch.*': /./,
  branch: /./,
  user: /./,
  'submodule.*': /^(?:url|active|branch|ignore)$/,
  submodule: /^(?:active|recurse)$/,
  init: /^defaultbranch$/,
  pull: /./,
  push: /./,
  fetch: /./,
  merge: /^(?:ff|conflictstyle|log|stat|renames|renamelimit)$/,
  rebase: /./,
  color: /./,
  'color.*': /./,
  advice: /./,
  status: /./,
  column: /./,
  log: /^(?:date|decorate|abbrevcommit|follow|graphcolors|mailmap|showroot)$/,
  diff: /^(?:algorithm|renames|renamelimit|noprefix|mnemonicprefix|colormoved|colormovedws|context|submodule|wordregex|ignoresubmodules|indentheuristic|statgraphwidth|interhunkcontext)$/,
  gc: /./,
  pack: /./,
  index: /./,
  feature: /./,
  commit: /./,
  tag: /^(?:gpgsign|sort|forcesignannotated)$/,
  gpg: /^format$/,
  rerere: /./,
  // Those of `lfs.extension.*` and `lfs.customtransfer.*` are programs.
  lfs: /^(?:url|pushurl|repositoryformatversion|locksverify|allowincompletepush|concurrenttransfers|fetchinclude|fetchexclude)$/,
  'lfs.*': /^(?:access|locksverify)$/,
  credential: /./,
  'credential.*': /./,
  http: /./,
  'http.*': /./,
  'url.*': /./,
  maintenance: /./,
  extensions: /^(?:objectformat|refstorage|relativeworktrees)$/,
};

/**
 * Why git may run a program when it reads in this folder: settings of the repository, or of one around it, that could
 * name one. What is not known to be inert counts. The person's own settings are theirs.
 */
export function repositoryProblem(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const problem = problemAt(at);
    if (problem !== undefined) return problem;
    if (at === dirname(at)) return undefined;
  }
}

/** The folder with git's own files for a work folder; undefined where there is none, a text where it cannot be told. */
export function gitFolderOf(folder: string): { readonly path: string } | string | undefined {
  const marker = join(folder, '.git');
  const found = statOf(marker);
  if (!found) return undefined;
  if (found.isDirectory()) return { path: marker };
  // The whole text is the path, as git has it: a search by line would take the first line of another one.
  const target = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec(textOf(marker) ?? '')?.[1];
  return target === undefined ? `${marker} cannot be read` : { path: resolve(folder, target) };
}

/** The folder of the repository that git uses in a folder; undefined where there is none. */
export function repositoryAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (statOf(join(at, '.git')) || isBare(at)) return at;
    if (at === dirname(at)) return undefined;
  }
}

function problemAt(folder: string): string | undefined {
  const own = gitFolderOf(folder);
  if (typeof own === 'string') return own;
  if (own) return problemIn(own.path, folder);
  return isBare(folder) ? problemIn(folder, folder) : undefined;
}

/** A folder that looks like the inside of `.git` is a repository, too. */
export function isBare(folder: string): boolean {
  // HEAD may be a link to a branch that is no file.
  const hasHead = lstatSync(join(folder, 'HEAD'), { throwIfNoEntry: false }) !== undefined;
  return hasHead && (statOf(join(folder, 'objects')) ?? statOf(join(folder, 'commondir'))) !== undefined;
}

function problemIn(gitFolder: string, workFolder: string): string | undefined {
  const common = textOf(join(gitFolder, 'commondir'))?.replace(/[\r\n]+$/, '');
  const shared = common === undefined ? gitFolder : resolve(gitFolder, common);
  const file = join(shared, 'config');
  const text = statOf(file) ? textOf(file) : '';
  const odd = text === undefined ? 'that cannot be read' : oddSetting(text, gitFolder, workFolder);
  if (odd !== undefined) return `${file} has a setting ${odd}`;
  const hook = join(shared, 'hooks', READ_HOOK);
  return statOf(hook) ? `${hook} would run` : undefined;
}

/** The first setting that is not known to be inert. */
function oddSetting(text: string, gitFolder: string, workFolder: string): string | undefined {
  let section = '';
  for (const line of text.split('\n')) {
    // The next line is a part of this one's value for git, even if it looks like a section.
    if (/\\\r?$/.test(line)) return `that goes on in the next line: ${line.trim()}`;
    const [, name, part] = /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*$/.exec(line) ?? [];
    if (name !== undefined) {
      section = name.toLowerCase() + (part === undefined ? '' : '.*');
      if (section === 'filter.*' && part === 'lfs') section = 'filter.lfs';
      continue;
    }
    if (/^\s*(?:[#;].*)?$/.test(line)) continue;
    const [, key = '', value = ''] = /^\s*([a-zA-Z][\w-]*)\s*(?:=\s*(.*?)\s*)?$/.exec(line) ?? [];
    const setting = key.toLowerCase();
    if (Object.hasOwn(INERT, section) && INERT[section]?.test(setting)) continue;
    if (
      section === 'filter.lfs' &&
      /^(?:required|(?:clean|smudge|process)$)/.test(setting) &&
      /^(?:true|git-lfs [\w% -]+)$/.test(value)
    )
      continue;
    if (section === 'core' && setting === 'fsmonitor' && /^(?:true|false)$/.test(value)) continue;
    if (section === 'core' && setting === 'worktree' && resolve(gitFolder, value) === workFolder) continue;
    if (section === 'core' && setting === 'hookspath' && hasNoReadHook(workFolder, value)) continue;
    if (section === 'core' && NAMES_FILE.test(setting)) {
      if (isFileHere(workFolder, value)) continue;
      return `that names a file elsewhere: core.${setting}`;
    }
    return `that may run a program: ${section}.${setting || line.trim()}`;
  }
  return undefined;
}

/** Git shows the lines of these files that it does not understand. */
const NAMES_FILE = /^(?:excludesfile|attributesfile)$/;

function isFileHere(workFolder: string, value: string): boolean {
  if (!/^[\w./-]+$/.test(value)) return false;
  try {
    return isInside(realPath(resolve(workFolder, value)), realPath(workFolder));
  } catch (error) {
    if (error instanceof LinkLoopError) return false;
    throw error;
  }
}

/** Quotes, `~` and comments mean something to git: a path with them is not followed. */
function hasNoReadHook(workFolder: string, value: string): boolean {
  return /^[\w./-]+$/.test(value) && !statOf(join(resolve(workFolder, value), READ_HOOK));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Settings that were read, as long as the file is as it was. */
const texts = new Map<string, { readonly mtimeMs: number; readonly size: number; readonly text: string }>();
const KEPT_TEXTS = 32;
const SETTLED_MS = 5_000;

function textOf(path: string): string | undefined {
  const info = statOf(path);
  if (!info?.isFile() || info.size > MAX_SETTINGS_BYTES) return undefined;
  const before = texts.get(path);
  if (before?.mtimeMs === info.mtimeMs && before.size === info.size) return before.text;
  try {
    const text = readFileSync(path, 'utf8');
    if (texts.size >= KEPT_TEXTS) texts.clear();
    // A file that was just written may be written once more in the same moment.
    if (Date.now() - info.mtimeMs > SETTLED_MS)
      texts.set(path, { mtimeMs: info.mtimeMs, size: info.size, text });
    return text;
  } catch {
    return undefined;
  }
}
