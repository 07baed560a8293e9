import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findMarkdown, mustStayInside } from './find-files.ts';
import { parseMarkdown } from './front-matter.ts';
import { mentionsIn, withoutComments } from './markdown-text.ts';
import type { MemoryEntry, MemoryKind } from './memory-entry.ts';
import { mentionedFile } from './mentioned-file.ts';
import { type OnProblem, orProblem, ProjectFileError } from './project-file-error.ts';
import { readText } from './read-text.ts';

/** How many files may import each other in a row, the first one included. */
export const MAX_IMPORT_DEPTH = 5;

/** How much all instructions together may be: they are part of every request. */
export const MAX_MEMORY_CHARS = 256 * 1024;

/** How many files all instructions together may be. */
export const MAX_MEMORY_FILES = 200;

/** Whose files are read. */
export interface MemorySource {
  readonly kind: MemoryKind;
  /** What is read and imported must lie in this folder; undefined where its author may read everything anyway. */
  readonly root: string | undefined;
}

interface ReaderOptions {
  readonly home: string;
  readonly onProblem: OnProblem;
  readonly mayRead?: (path: string) => boolean;
}

/** Reads instructions and what they import, each file once. */
export class MemoryReader {
  readonly entries: MemoryEntry[] = [];
  readonly #home: string;
  readonly #onProblem: OnProblem;
  readonly #mayRead: (path: string) => boolean;
  readonly #seen = new Set<string>();
  #charsLeft = MAX_MEMORY_CHARS;

  constructor({ home, onProblem, mayRead = () => true }: ReaderOptions) {
    this.#home = home;
    this.#onProblem = onProblem;
    this.#mayRead = mayRead;
  }

  /** Read a file, if it is there. Says whether there was one. */
  async readFile(path: string, source: MemorySource): Promise<boolean> {
    const before = this.entries.length;
    await this.#read(path, { ...source, depth: 1, isRule: false });
    return this.entries.length > before;
  }

  /** Read the rules in a folder and below it. */
  async readRules(folder: string, source: MemorySource): Promise<void> {
    for (const path of await findMarkdown({ path: folder, root: source.root }, this.#onProblem)) {
      await this.#read(path, { ...source, depth: 1, isRule: true });
    }
  }

  async #read(path: string, reading: Reading): Promise<void> {
    // Most of the places that are looked at hold nothing; waiting for each would be a good part of a start.
    if (!existsSync(path)) return;
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || this.#seen.has(real)) return;
    this.#seen.add(real);
    const isLink = real !== path;
    const entry = await orProblem(this.#onProblem, () => this.#entryOf(path, { ...reading, isLink }));
    if (entry === undefined) return;
    this.entries.push(entry);
    for (const mention of mentionsIn(entry.text)) {
      const file = await mentionedFile(mention, dirname(path), this.#home);
      if (file === undefined) continue;
      if (reading.depth < MAX_IMPORT_DEPTH) {
        await this.#read(file, { ...reading, depth: reading.depth + 1, isRule: false, paths: entry.paths });
      } else {
        this.#onProblem(`${path}: imports ${file} deeper than ${MAX_IMPORT_DEPTH} files. It is left out.`);
      }
    }
  }

  async #entryOf(
    path: string,
    { kind, root, depth, isRule, isLink, paths: inherited }: Reading & { isLink: boolean },
  ): Promise<MemoryEntry> {
    if (root !== undefined) await mustStayInside(path, root);
    // What nobody mentions stands where instructions are looked for, unless it is a link to something else.
    if ((depth > 1 || isLink) && !this.#mayRead(path)) throw new ProjectFileError(path, 'may not be read');
    const text = await readText(path);
    const file = isRule ? await parseMarkdown(path, text) : undefined;
    const paths = file?.fields.list('paths') ?? inherited;
    const instructions = withoutComments(file?.body ?? text);
    if (instructions.length > this.#charsLeft || this.entries.length >= MAX_MEMORY_FILES) {
      throw new ProjectFileError(
        path,
        `all instructions together are more than ${MAX_MEMORY_CHARS / 1024} KiB or ${MAX_MEMORY_FILES} files`,
      );
    }
    this.#charsLeft -= instructions.length;
    return { path, kind, text: instructions, ...(paths && { paths }) };
  }
}

interface Reading extends MemorySource {
  readonly depth: number;
  readonly isRule: boolean;
  /** The files that the rule is for which imports this one. */
  readonly paths?: readonly string[] | undefined;
}
