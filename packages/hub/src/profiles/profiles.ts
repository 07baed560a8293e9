import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, LIMITS, numberAt, objectAt, parseJson } from '@signalbox/protocol';
import type { Profile, ProfileChange } from '@signalbox/protocol/hub';
import { replaceFile } from '../base/replace-file.ts';
import { ProfileLimitError, ProfileNotFoundError, ProfilesUnreadableError } from './profile-errors.ts';

interface Kept {
  variables: Record<string, string>;
  updatedAt: number;
}

/**
 * Variables for agents, under names: a file of the hub's home that its owner alone can read. Values go to agents that are
 * launched with them, and to nobody else: not into the database, an answer, the log or the audit log.
 */
export class Profiles {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, 'profiles.json');
  }

  list(): Profile[] {
    return Array.from(this.#read(), ([name, kept]) => profileOf(name, kept)).toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  }

  /** Raises `PROFILE_LIMIT`. */
  change({ name, variables }: ProfileChange): Profile {
    const all = this.#read();
    const changed = { ...all.get(name)?.variables };
    for (const [variable, value] of Object.entries(variables))
      if (value === null) delete changed[variable];
      else changed[variable] = value;
    const kept = { variables: changed, updatedAt: Date.now() };
    all.set(name, kept);
    const bytes = Buffer.byteLength(JSON.stringify(changed));
    if (all.size > LIMITS.profiles.most || bytes > LIMITS.profileBytes.most) throw new ProfileLimitError();
    this.#write(all);
    return profileOf(name, kept);
  }

  /** Raises `PROFILE_NOT_FOUND`. */
  remove(name: string): Profile {
    const all = this.#read();
    const kept = all.get(name);
    if (!kept) throw new ProfileNotFoundError(name, [...all.keys()]);
    all.delete(name);
    this.#write(all);
    return profileOf(name, kept);
  }

  /** What an agent is launched with, as it is now. Raises `PROFILE_NOT_FOUND`. */
  variables(name: string): Record<string, string> {
    const all = this.#read();
    const kept = all.get(name);
    if (!kept) throw new ProfileNotFoundError(name, [...all.keys()]);
    return kept.variables;
  }

  /** A person may have put the file back from a copy: it is read each time. */
  #read(): Map<string, Kept> {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
      throw new ProfilesUnreadableError(this.#file);
    }
    const all = parsed(text);
    if (!all) throw new ProfilesUnreadableError(this.#file);
    return all;
  }

  #write(all: ReadonlyMap<string, Kept>): void {
    replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
  }
}

/** Undefined for what is no file of profiles. An error of a parser would quote it. */
function parsed(text: string): Map<string, Kept> | undefined {
  try {
    const value: unknown = parseJson(text);
    if (!isJsonObject(value)) return undefined;
    return new Map(
      Object.keys(value).map((name) => {
        const kept = objectAt(value, name);
        const variables = Object.entries(objectAt(kept, 'variables')).filter(isText);
        return [
          name,
          { variables: Object.fromEntries(variables), updatedAt: numberAt(kept, 'updatedAt') ?? 0 },
        ];
      }),
    );
  } catch {
    return undefined;
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function profileOf(name: string, { variables, updatedAt }: Kept): Profile {
  return { name, variables: Object.keys(variables).toSorted(), updatedAt };
}
