import { type Dirent, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  ANY_NAME,
  type LineRead,
  LinkLoopError,
  matchesPieces,
  readShellLine,
  surveyLine,
} from '@signalbox/protocol';
import { realPath as followLinks } from '@signalbox/transport/real-path';
import { isInside } from '../base/real-path.ts';
import { gitDetours } from './git-detours.ts';
import { submoduleProblem, trackedFiles } from './git-index.ts';
import { repositoryAround, repositoryProblem } from './git-settings.ts';
import { unhiddenAround, unhiddenNames } from './unhidden-names.ts';

/** So many files are looked at before a line is asked about instead. */
const MAX_FILES = 10_000;

/** So many names are looked at, those that do not count among them. */
const MAX_LOOKED = 50_000;

/** A chain of links this long leads nowhere. */
const MAX_LINKS = 40;

/** Devices that hold nothing of anybody's. */
const OPEN_FILES = new Set(['/dev/null', '/dev/stdin']);

/** A folder that a line reads with all that lies below it. */
export interface ReadBelow {
  readonly folder: string;
  readonly includes: 'visible' | 'files' | 'links' | 'tracked';
  /** Only files whose names end so are read; all if undefined. */
  readonly endings: readonly string[] | undefined;
  /** True if a name with white space would be read as several names. */
  readonly splits: boolean;
}

/** What a line of shell would read here. Paths are real: links were followed. */
export interface ShellReads {
  /** Why it is not known to only read; undefined if it does. */
  readonly refusal: string | undefined;
  /** What a rule for its programs does not cover: git where it may run a program, in a folder that the line goes to, among others. */
  readonly concern: string | undefined;
  readonly paths: readonly string[];
  /** Those of them that a pattern fits; nobody is told their names who did not know them. */
  readonly fitted: ReadonlySet<string>;
  readonly below: readonly ReadBelow[];
  /** What a rule may forbid by its name: all of these before links are followed, and words of programs that are not known. */
  readonly names: () => readonly string[];
  readonly variables: readonly string[];
}

/** Looks at what a line reads when it is run in a folder. */
export function shellReads(command: string, cwd: string, home: string): ShellReads {
  const survey = surveyLine(readShellLine(command, home));
  const below: ReadBelow[] = [];
  const paths: string[] = [];
  const fitted = new Set<string>();
  let refusal = survey.refusal;
  for (const read of survey.reads) {
    if (OPEN_FILES.has(read.path)) continue;
    const found = placesOf(read, cwd);
    if (typeof found === 'string') refusal ??= found;
    else paths.push(...found);
    if (read.path.includes(ANY_NAME) && typeof found !== 'string') for (const path of found) fitted.add(path);
    if (read.below === undefined || typeof found === 'string') continue;
    const splits = read.hazard === 'space';
    const { below: includes, endings } = read;
    below.push(...found.map((folder) => ({ folder, includes, endings, splits })));
  }
  let { concern } = survey;
  for (const read of survey.repositories) {
    const found = placesOf(read, cwd);
    const isElsewhere = typeof found === 'string' || found.some((folder) => folder !== cwd);
    if (read.isOfUnknown && !isElsewhere) continue;
    if (typeof found !== 'string') paths.push(...found.flatMap(gitDetours));
    if (refusal !== undefined && !isElsewhere) continue;
    const problem = typeof found === 'string' ? found : problemOf(found);
    refusal ??= problem;
    if (problem !== undefined && isElsewhere && isOtherRepository(found, cwd)) concern ??= problem;
  }
  for (const folder of survey.splitFolders)
    if (/[\s*?[\\]/.test(follow(cwd, folder)))
      concern ??= `the name of ${follow(cwd, folder)} would be taken for several words`;
  const names = (): readonly string[] => namesOf(survey, cwd);
  return { refusal, concern, paths, fitted, below, names, variables: survey.variables };
}

/** Whether git would use another repository there: a rule is about the one that the session is in. */
function isOtherRepository(found: readonly string[] | string, cwd: string): boolean {
  const own = repositoryAround(cwd);
  return typeof found === 'string' || found.some((folder) => repositoryAround(folder) !== own);
}

/** Why git may run a program in one of these folders, or in a submodule of its repository, into which it looks as well. */
function problemOf(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const problem = repositoryProblem(folder) ?? submoduleProblem(folder);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function namesOf({ reads, words }: ReturnType<typeof surveyLine>, cwd: string): readonly string[] {
  const names = words.flatMap((word) => {
    const found = placesOf(word, cwd);
    return typeof found === 'string' ? [] : found;
  });
  for (const { path, from } of [...reads, ...words])
    if (!path.includes(ANY_NAME)) names.push(...from.map((folder) => resolve(cwd, folder, path)));
  return names;
}

const FOUND = new WeakMap<ReadBelow, readonly string[] | string>();

/**
 * The files below a folder, with links resolved; a reason where they cannot be listed. Where links are followed, so are
 * those below folders that they lead to, as long as these are `within` others. The result is kept.
 */
export function filesBelow(below: ReadBelow, within: readonly string[]): readonly string[] | string {
  const before = FOUND.get(below);
  if (before !== undefined) return before;
  const found = findBelow(below, within);
  FOUND.set(below, found);
  return found;
}

function findBelow(
  { folder, includes, endings, splits }: ReadBelow,
  within: readonly string[],
): readonly string[] | string {
  // Outside of a repository git compares folders.
  const tracked = includes === 'tracked' ? trackedFiles(folder) : undefined;
  if (tracked !== undefined) return tracked;
  const counts = (name: string): boolean => endings?.some((ending) => name.endsWith(ending)) ?? true;
  const found: string[] = [];
  const folders = [{ path: folder, countsAll: false }];
  const linked = new Set<string>();
  const unhidden = includes === 'visible' ? unhiddenAround(folder) : [];
  let looked = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const here = includes === 'visible' ? unhiddenNames(next.path) : undefined;
    if (here) unhidden.push(here);
    for (const entry of entriesOf(next.path)) {
      const isHidden = includes === 'visible' && entry.name.startsWith('.');
      if (isHidden && !unhidden.some((shows) => shows(entry.name))) continue;
      if (splits && /[\s"'\\]/.test(entry.name)) return `${entry.name} would be taken for several names`;
      if (splits && next.path === folder && entry.name.startsWith('-'))
        return `${entry.name} would be taken for an option`;
      looked += 1;
      if (found.length + folders.length > MAX_FILES || looked > MAX_LOOKED)
        return `there are more than ${MAX_FILES} files in ${folder}`;
      const path = join(next.path, entry.name);
      const isCounted = next.countsAll || counts(entry.name);
      // A folder may be called `a.ts`; then a program may read all of it.
      if (entry.isDirectory()) folders.push({ path, countsAll: endings !== undefined && isCounted });
      else if (!isCounted) continue;
      else if (!entry.isSymbolicLink()) found.push(path);
      else if (includes === 'links') {
        const target = realPath(path);
        found.push(target);
        if (linked.has(target) || !within.some((place) => isInside(target, place)) || !isFolder(target))
          continue;
        linked.add(target);
        folders.push({ path: target, countsAll: endings !== undefined && isCounted });
      }
    }
  }
  return found;
}

/** The files that a path may mean, from each folder that the line may be in. */
function placesOf({ path, topOf, from, hazard }: LineRead, cwd: string): readonly string[] | string {
  const places: string[] = [];
  for (const folder of from) {
    const start = follow(cwd, folder);
    const found = expand(topOf === undefined ? start : topFrom(start, topOf), path, hazard);
    if (typeof found === 'string') return found;
    places.push(...found);
  }
  return places;
}

/** The top of the repository around a folder. */
function topFrom(start: string, folder: string): string {
  const at = follow(start, folder);
  return repositoryAround(at) ?? at;
}

/** Links there lead elsewhere for each process: `/proc/self/cwd` is another folder for the command than for the agent. */
const OF_PROCESSES = /^\/(?:proc|dev\/fd)(?:\/|$)/;

/** Where a path leads, name by name as the system goes: `link/..` is the folder above what the link leads to. */
function follow(folder: string, path: string, links = 0): string {
  let at = path.startsWith('/') ? '/' : folder;
  let exists = true;
  for (const name of path.split('/')) {
    if (name === '..') at = dirname(at);
    else if (name !== '' && name !== '.') {
      at = at === '/' ? `/${name}` : `${at}/${name}`;
      const kind: PathKind = exists ? kindOf(at) : 'missing';
      if (kind === 'link') at = linkedPath(at, links + 1);
      if (OF_PROCESSES.test(at)) return at;
      exists = kind !== 'missing';
    }
  }
  return at;
}

/** Where a link leads; a path below `/proc` where a link on its way leads there. */
function linkedPath(link: string, links: number): string {
  const target = readlinkSync(link);
  const next = resolve(dirname(link), target);
  if (OF_PROCESSES.test(next)) return next;
  const real = realPath(link);
  // Most links lead to where they say; others go on through further links.
  return real === next || links > MAX_LINKS ? real : follow(dirname(link), target, links);
}

type PathKind = 'link' | 'other' | 'missing';

/** Asked before links are followed: most paths have none, and an error for a missing file costs more than all else. */
function kindOf(path: string): PathKind {
  try {
    const info = lstatSync(path, { throwIfNoEntry: false });
    return info === undefined ? 'missing' : info.isSymbolicLink() ? 'link' : 'other';
  } catch {
    return 'missing';
  }
}

/** The files that a pattern fits, or more of them; a text when a name would be taken for something else. */
function expand(folder: string, path: string, hazard: LineRead['hazard']): readonly string[] | string {
  if (!path.includes(ANY_NAME)) return [follow(folder, path)];
  let places = [path.startsWith('/') ? '/' : folder];
  for (const [at, part] of path.split('/').entries()) {
    if (!part.includes(ANY_NAME)) {
      places = places.map((place) => follow(place, part));
      continue;
    }
    const pieces = part.split(ANY_NAME);
    const found: string[] = [];
    for (const place of places) {
      for (const name of namesFor(part, place)) {
        if (!matchesPieces(pieces, name)) continue;
        if (hazard && at === 0 && name.startsWith('-')) return `${name} would be taken for an option`;
        if (hazard === 'space' && /[\s*?[\\]/.test(name)) return `${name} would be taken for several names`;
        found.push(follow(place, name));
        if (found.length > MAX_FILES) return `the pattern fits more than ${MAX_FILES} files`;
      }
    }
    // Without any file the pattern stays what it is, and names nothing.
    if (found.length === 0) return places;
    places = found;
  }
  return places;
}

/** The names that a pattern is compared with. Bash before 5.2 takes `..` for one that begins with a dot: `.?/x` is `../x` there. */
function namesFor(pattern: string, folder: string): readonly string[] {
  const names = entriesOf(folder).map(({ name }) => name);
  return pattern.startsWith('.') ? ['..', ...names] : names;
}

/** A path that is a loop of links leads nowhere: nothing can be read there. */
function realPath(path: string): string {
  try {
    return followLinks(path);
  } catch (error) {
    if (error instanceof LinkLoopError) return path;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
