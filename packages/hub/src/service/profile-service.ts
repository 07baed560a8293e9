import type { Profile, ProfileChange } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { Device } from '../store/device.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** Variables for agents. Who may drive may launch with one; to write one takes `admin`. */
export class ProfileService {
  readonly #profiles: Profiles;
  readonly #decisions: Decisions;

  constructor(profiles: Profiles, decisions: Decisions) {
    this.#profiles = profiles;
    this.#decisions = decisions;
  }

  async list(by: Device): Promise<Profile[]> {
    permit(by, 'drive');
    return this.#profiles.list();
  }

  /** The audit log has the names of what was set and taken away. */
  async change(by: Device, change: ProfileChange): Promise<Profile> {
    permit(by, 'admin');
    const names = Object.entries(change.variables).map(([name, value]) =>
      value === null ? `-${name}` : name,
    );
    const changed = this.#profiles.change(change);
    const subject = `${change.name}: ${names.join(', ')}`.slice(0, 1000);
    await this.#decisions.keep(authorOf(by), { what: 'set profile', session: null, subject });
    return changed;
  }

  async remove(by: Device, name: string): Promise<Profile> {
    permit(by, 'admin');
    const removed = this.#profiles.remove(name);
    await this.#decisions.keep(authorOf(by), { what: 'remove profile', session: null, subject: name });
    return removed;
  }
}
