import { join } from 'node:path';
import { type JsonObject, LIMITS, numberAt, objectAt } from '@signalbox/protocol';
import type { Profile, ProfileChange } from '@signalbox/protocol/hub';
import { NamedFile } from '../base/named-file.ts';
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
  readonly #file: NamedFile<Kept>;

  constructor(home: string) {
    const unreadable = (file: string): Error => new ProfilesUnreadableError(file);
    this.#file = new NamedFile(join(home, 'profiles.json'), keptIn, unreadable);
  }

  list(): Profile[] {
    return Array.from(this.#file.load(), ([name, kept]) => profileOf(name, kept)).toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  }

  /** Raises `PROFILE_LIMIT`. */
  change({ name, variables }: ProfileChange): Profile {
    const all = this.#file.load();
    const changed = { ...all.get(name)?.variables };
    for (const [variable, value] of Object.entries(variables))
      if (value === null) delete changed[variable];
      else changed[variable] = value;
    const kept = { variables: changed, updatedAt: Date.now() };
    all.set(name, kept);
    const bytes = Buffer.byteLength(JSON.stringify(changed));
    if (all.size > LIMITS.profiles.most || bytes > LIMITS.profileBytes.most) throw new ProfileLimitError();
    this.#file.save(all);
    return profileOf(name, kept);
  }

  /** Raises `PROFILE_NOT_FOUND`. */
  remove(name: string): Profile {
    const all = this.#file.load();
    const kept = all.get(name);
    if (!kept) throw new ProfileNotFoundError(name, [...all.keys()]);
    all.delete(name);
    this.#file.save(all);
    return profileOf(name, kept);
  }

  /** What an agent is launched with, as it is now. Raises `PROFILE_NOT_FOUND`. */
  variables(name: string): Record<string, string> {
    const all = this.#file.load();
    const kept = all.get(name);
    if (!kept) throw new ProfileNotFoundError(name, [...all.keys()]);
    return kept.variables;
  }
}

function keptIn(kept: JsonObject): Kept {
  const variables = Object.entries(objectAt(kept, 'variables')).filter(isText);
  return { variables: Object.fromEntries(variables), updatedAt: numberAt(kept, 'updatedAt') ?? 0 };
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function profileOf(name: string, { variables, updatedAt }: Kept): Profile {
  return { name, variables: Object.keys(variables).toSorted(), updatedAt };
}
