import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, objectAt, parseJson } from '@signalbox/protocol';
import { replaceFile } from './replace-file.ts';

/** A file of the hub's home with things under names, which its owner alone can read. */
export class NamedFile<Kept> {
  readonly #file: string;
  readonly #read: (kept: JsonObject) => Kept;
  readonly #unreadable: (file: string) => Error;

  /** `read` makes a thing of what the file has of it, and `unreadable` the error for a file that is none of ours. */
  constructor(file: string, read: (kept: JsonObject) => Kept, unreadable: (file: string) => Error) {
    this.#file = file;
    this.#read = read;
    this.#unreadable = unreadable;
  }

  /** A person may have put the file back from a copy: it is read each time. */
  load(): Map<string, Kept> {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
      throw this.#unreadable(this.#file);
    }
    const value = objectIn(text);
    if (!value) throw this.#unreadable(this.#file);
    return new Map(Object.keys(value).map((name) => [name, this.#read(objectAt(value, name))]));
  }

  save(all: ReadonlyMap<string, Kept>): void {
    replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
  }
}

/** Undefined for what is none: an error of a parser would quote it. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
