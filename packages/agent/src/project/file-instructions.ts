import { dirname, relative, sep } from 'node:path';
import { globMatcher } from '../base/glob.ts';
import type { CommandCatalog } from './command-catalog.ts';
import { loadNestedMemory, type MemoryLocation } from './load-memory.ts';
import { loadNestedSkills } from './load-skills.ts';
import { type MemoryEntry, memoryEntryText } from './memory-entry.ts';
import type { ProjectLocation } from './project-location.ts';

/** Where instructions and skills for particular files are looked for. */
export type FileInstructionsLocation = MemoryLocation & ProjectLocation;

/**
 * Instructions that hold for some files only: rules with globs, and what folders below the working directory keep. A model is
 * told them once, when a tool first touches such a file.
 */
export class FileInstructions {
  readonly #location: FileInstructionsLocation;
  readonly #catalog: CommandCatalog;
  /** Rules with globs, of the project and of the folders that were looked at. */
  readonly #rules: MemoryEntry[];
  readonly #seenFolders = new Set<string>();
  readonly #told = new Set<string>();

  constructor(location: FileInstructionsLocation, catalog: CommandCatalog, memory: readonly MemoryEntry[]) {
    this.#location = location;
    this.#catalog = catalog;
    this.#rules = memory.filter(({ paths }) => paths !== undefined);
  }

  /** The same for another conversation, which knows nothing yet. */
  forThread(): FileInstructions {
    return new FileInstructions(this.#location, this.#catalog, this.#rules);
  }

  /** Tell everything again: the conversation that knew it is gone. */
  forget(): void {
    this.#told.clear();
    this.#seenFolders.clear();
  }

  /** What the model does not know yet about a file. Skills for it are in the catalog from now on. */
  async about(file: string): Promise<string[]> {
    const nested = await this.#lookInto(dirname(file));
    const rules = this.#rules.filter((rule) => this.#isFor(rule, file));
    const news = [...nested, ...rules].filter(({ path }) => !this.#told.has(path));
    for (const { path } of news) this.#told.add(path);
    return news.map(memoryEntryText);
  }

  async #lookInto(folder: string): Promise<MemoryEntry[]> {
    if (this.#seenFolders.has(folder)) return [];
    this.#seenFolders.add(folder);
    const file = `${folder}${sep}.`;
    this.#catalog.add(await loadNestedSkills(this.#location, file));
    const found = await loadNestedMemory(this.#location, file);
    const known = new Set(this.#rules.map(({ path }) => path));
    this.#rules.push(...found.filter(({ path, paths }) => paths !== undefined && !known.has(path)));
    return found.filter(({ paths }) => paths === undefined);
  }

  #isFor({ path, paths = [] }: MemoryEntry, file: string): boolean {
    // A project's globs begin at the folder that its rules are for, a person's at the working directory.
    const [root, below] = path.split(`${sep}.claude${sep}rules${sep}`);
    const isProjects = below !== undefined && root !== undefined && root !== this.#location.home;
    const name = relative(isProjects ? root : this.#location.cwd, file);
    return paths.some((glob) => globMatcher(glob.replace(/^\.?\//, ''))(name));
  }
}
