import type { HubNodes } from '@signalbox/protocol/hub';
import type { Device } from '../store/device.ts';
import { permit } from './permit.ts';

/** The hubs that share a database; a hub on SQLite is alone. */
export class NodeService {
  readonly #look: (() => Promise<HubNodes>) | undefined;

  constructor(look: (() => Promise<HubNodes>) | undefined) {
    this.#look = look;
  }

  async list(by: Device): Promise<HubNodes> {
    permit(by, 'watch');
    return (await this.#look?.()) ?? { items: [], lead: null, database: null };
  }
}
