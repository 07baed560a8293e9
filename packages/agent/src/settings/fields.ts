import { isJsonObject } from '@signalbox/protocol';
import { SettingsError } from './settings-file.ts';

/** The fields of a settings file by their types; one of the wrong type throws {@link SettingsError} with its name. */
export class Fields {
  readonly #file: string;
  readonly #path: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(file: string, values: Readonly<Record<string, unknown>>, path = '') {
    this.#file = file;
    this.#values = values;
    this.#path = path;
  }

  /** As it stands there; null is as good as absent. */
  any(key: string): unknown {
    return this.#values[key] ?? undefined;
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  text(key: string): string | undefined {
    return this.#read(key, 'a text', (value) => typeof value === 'string');
  }

  flag(key: string): boolean | undefined {
    return this.#read(key, 'true or false', (value) => typeof value === 'boolean');
  }

  number(key: string): number | undefined {
    return this.#read(key, 'a number', (value) => typeof value === 'number');
  }

  texts(key: string): string[] {
    const isText = (item: unknown): item is string => typeof item === 'string';
    return (
      this.#read(key, 'a list of texts', (value): value is string[] => {
        return Array.isArray(value) && value.every(isText);
      }) ?? []
    );
  }

  /** A list of objects; absent is not the same as empty. */
  objects(key: string): Fields[] | undefined {
    const list = this.#read(key, 'a list of objects', (value): value is Record<string, unknown>[] => {
      return Array.isArray(value) && value.every(isJsonObject);
    });
    return list?.map((item, at) => new Fields(this.#file, item, `${this.#path}${key}.${at}.`));
  }

  /** An object; an absent one has no fields. */
  object(key: string): Fields {
    return new Fields(this.#file, this.#read(key, 'an object', isJsonObject) ?? {}, `${this.#path}${key}.`);
  }

  /** What is wrong with a field, for whoever finds out later. */
  problem(key: string, problem: string): SettingsError {
    return new SettingsError(this.#file, `"${this.#path}${key}" ${problem}`);
  }

  #read<T>(key: string, type: string, fits: (value: unknown) => value is T): T | undefined {
    const value = this.any(key);
    if (value === undefined) return undefined;
    if (!fits(value)) throw this.problem(key, `is not ${type}`);
    return value;
  }
}
