import { MAX_PAGE_ITEMS, type SpendGroup, type SpendReport } from '@signalbox/protocol/hub';
import { dayOf } from '../spend/day.ts';
import type { Device } from '../store/device.ts';
import type { SpendSum } from '../store/spend.ts';
import type { Store } from '../store/store.ts';
import { permit } from './permit.ts';

/** Which spend is asked for. */
interface SpendRequest {
  by: SpendGroup;
  since?: number;
  until?: number;
  session?: string;
  folder?: string;
}

/** What agents have spent. */
export class SpendService {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A token that is held to a session learns of that one alone. */
  async report(
    by: Device,
    { by: group, since, until, session = by.session ?? undefined, folder }: SpendRequest,
  ): Promise<SpendReport> {
    permit(by, 'watch', session);
    const sums = await this.#store.spend.sums({
      by: group,
      since: since === undefined ? undefined : dayOf(since),
      until: until === undefined ? undefined : dayOf(until),
      session,
      folder: folder === undefined || folder === '/' ? folder : folder.replace(/\/+$/, ''),
    });
    const isCut = sums.length > MAX_PAGE_ITEMS;
    // Of days the newest are the ones that are looked at.
    const shown = group === 'day' ? sums.slice(-MAX_PAGE_ITEMS) : sums.slice(0, MAX_PAGE_ITEMS);
    const items = await Promise.all(
      shown.map(async (sum) => ({ ...sum, title: group === 'session' ? await this.#titleOf(sum) : null })),
    );
    return { by: group, items, total: totalOf(sums), isCut };
  }

  async #titleOf({ key }: SpendSum): Promise<string | null> {
    return key === null ? null : ((await this.#store.sessions.get(key))?.title ?? null);
  }
}

function totalOf(sums: readonly SpendSum[]): SpendReport['total'] {
  const total = { usd: 0, input: 0, output: 0, cacheWrite: 0, cacheRead: 0, turns: 0 };
  for (const sum of sums) {
    total.usd += sum.usd;
    total.input += sum.input;
    total.output += sum.output;
    total.cacheWrite += sum.cacheWrite;
    total.cacheRead += sum.cacheRead;
    total.turns += sum.turns;
  }
  return total;
}
