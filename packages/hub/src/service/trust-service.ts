import { statSync } from 'node:fs';
import type { FolderTrust } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { Device } from '../store/device.ts';
import type { Launches } from '../store/launch.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** The folders of this machine that the person trusts. `env` is what an agent is started with beside the hub's own. */
export interface TrustSetup {
  list: () => Promise<string[]>;
  look: (folder: string, env?: Record<string, string>) => Promise<FolderTrust>;
  trust: (folder: string) => Promise<FolderTrust>;
  distrust: (folder: string) => Promise<FolderTrust>;
}

/** Agents that a folder's files speak to only when it is trusted. */
const ASKS_FOR_TRUST = ['signalbox-agent', 'scripted'];

/** Which folders may speak for the person. Whoever says so lets their files run programs: it takes the scope admin. */
export class TrustService {
  readonly #setup: TrustSetup;
  readonly #launches: Launches;
  readonly #decisions: Decisions;

  constructor(setup: TrustSetup, launches: Launches, decisions: Decisions) {
    this.#setup = setup;
    this.#launches = launches;
    this.#decisions = decisions;
  }

  /** The folders that agents trust, and whether the one that is asked about is. */
  async list(by: Device, folder?: string): Promise<{ items: string[]; asked?: FolderTrust }> {
    permit(by, 'admin');
    const asked = folder === undefined ? {} : { asked: await this.#setup.look(launchFolder(folder)) };
    return { items: await this.#setup.list(), ...asked };
  }

  async trust(by: Device, folder: string): Promise<FolderTrust> {
    permit(by, 'admin');
    const trusted = await this.#setup.trust(launchFolder(folder));
    await this.#decisions.keep(authorOf(by), { what: 'trust folder', session: null, subject: trusted.root });
    return trusted;
  }

  async distrust(by: Device, folder: string): Promise<FolderTrust> {
    permit(by, 'admin');
    const left = await this.#setup.distrust(launchFolder(folder));
    await this.#decisions.keep(authorOf(by), { what: 'distrust folder', session: null, subject: folder });
    return left;
  }

  /** Of the folder of an agent that this hub launched; null where that is not known here. */
  async ofSession(by: Device, id: string): Promise<FolderTrust | null> {
    permit(by, 'admin', id);
    const spec = (await this.#launches.get(id))?.spec;
    const isMeant = spec && ASKS_FOR_TRUST.includes(spec.agent) && isFolder(spec.folder);
    return isMeant ? this.#setup.look(spec.folder, spec.env) : null;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
