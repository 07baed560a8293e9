import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { scopeAbove } from '../tools/search/ignore-rules.ts';
import { walkFiles } from '../tools/search/walk-files.ts';

/** How many suggestions a host gets, from how many files, and how long those are good for: people type quickly. */
export const MAX_SUGGESTIONS = 15;
export const MAX_KNOWN_FILES = 50_000;
const KNOWN_MS = 3000;

/** The files and folders of a working directory, for those who type the name of one. */
export class FileSuggestions {
  readonly #folder: string;
  #known: { paths: Promise<string[]>; until: number } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Paths that fit what was typed, the best first; folders end with a slash. What .gitignore names is left out. */
  async find(query: string, signal: AbortSignal, mayShow = (_path: string) => true): Promise<string[]> {
    if (!this.#known || this.#known.until < Date.now()) {
      this.#known = { paths: pathsBelow(this.#folder, signal), until: Date.now() + KNOWN_MS };
      // An interrupted walk is no answer to the next question.
      this.#known.paths.catch(() => (this.#known = undefined));
    }
    const wanted = query.replace(/^\.\//, '').toLowerCase();
    const ranked = (await this.#known.paths)
      .map((path) => ({ path, rank: rankOf(path.toLowerCase(), wanted) }))
      .filter(({ rank }) => rank < NO_FIT)
      .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path);
    const shown: string[] = [];
    for (const path of ranked) {
      if (shown.length >= MAX_SUGGESTIONS) break;
      if (mayShow(join(this.#folder, path))) shown.push(path);
    }
    return shown;
  }
}

const NO_FIT = 5;

/** How well a path fits, from 0 on. Without a query only what lies in the folder itself does. */
function rankOf(path: string, wanted: string): number {
  if (wanted === '') return path.slice(0, -1).includes('/') ? NO_FIT : 0;
  const name = basename(path);
  if (path.startsWith(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  return hasLetters(path, wanted) ? 4 : NO_FIT;
}

/** Whether all letters are in a path, in their order. */
function hasLetters(path: string, wanted: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

async function pathsBelow(root: string, signal: AbortSignal): Promise<string[]> {
  const paths = new Set<string>();
  const repository = repositoryOf(root);
  const scope = repository === undefined ? undefined : await scopeAbove(root, repository);
  for await (const file of walkFiles(root, { signal, ignore: { scope } })) {
    const path = relative(root, file);
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) paths.add(`${folder}/`);
    paths.add(path);
    if (paths.size >= MAX_KNOWN_FILES) break;
  }
  return [...paths];
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
