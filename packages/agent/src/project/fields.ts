import type { JsonObject } from '@signalbox/protocol';
import { ruleList } from '../command-line/read-values.ts';
import { ProjectFileError } from './project-file-error.ts';

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** Named values that somebody wrote, as what they are to be. Each reader throws {@link ProjectFileError}. */
export class Fields {
  readonly #place: string;
  readonly #values: JsonObject;

  constructor(place: string, values: JsonObject) {
    this.#place = place;
    this.#values = values;
  }

  /** The value as it was written; an empty one counts as none. */
  get(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'string') return value?.trim() || undefined;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.wrong(name, 'a text');
  }

  /** A list, or a text with commas or spaces between its parts. */
  list(name: string): string[] | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && !/^[[{]/.test(value)) return ruleList([value]);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
      return value.map((item) => item.trim()).filter(Boolean);
    }
    throw this.wrong(name, 'a list of texts');
  }

  flag(name: string): boolean | undefined {
    const word = this.text(name)?.toLowerCase();
    if (word === undefined) return undefined;
    if (YES.has(word) || NO.has(word)) return YES.has(word);
    throw this.wrong(name, 'true or false');
  }

  count(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw this.wrong(name, 'a whole number above 0');
  }

  /** The error for a field that is not what it has to be. */
  wrong(name: string, expected: string): ProjectFileError {
    return new ProjectFileError(this.#place, `\`${name}\` must be ${expected}`);
  }
}
