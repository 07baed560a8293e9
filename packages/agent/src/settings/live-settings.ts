import type { JsonObject } from '@signalbox/protocol';
import type { Settings } from './settings.ts';

/** The settings of a session, of which the host may change those that `--settings` gave. */
export class LiveSettings {
  #current: Settings;
  readonly #load: (flagSettings: string) => Settings;

  /** `load` reads all sources anew, with these in the place of what `--settings` said. */
  constructor(current: Settings, load: (flagSettings: string) => Settings) {
    this.#current = current;
    this.#load = load;
  }

  get current(): Settings {
    return this.#current;
  }

  /**
   * Each field takes the place of its former value, and null takes it away. Throws `SettingsError`, or what `check` throws,
   * and changes nothing then.
   */
  change(changes: JsonObject, check: (next: Settings) => void): Settings {
    const fields = Object.entries({ ...this.flagSettings(), ...changes }).filter(
      ([, value]) => value !== null,
    );
    const next = this.#load(JSON.stringify(Object.fromEntries(fields)));
    check(next);
    this.#current = next;
    return next;
  }

  /** What `--settings` and the host said. */
  flagSettings(): Readonly<Record<string, unknown>> {
    return this.#current.sources.find(({ source }) => source === 'flagSettings')?.raw ?? {};
  }
}
