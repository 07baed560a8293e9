import type { FolderSpend, LineSpend, SpendQuery, SpendRow, SpendSum } from '@signalbox/hub/store';
import type { JsonObject } from '@signalbox/protocol';
import type { Tables } from './tables.ts';

const COUNTED = ['usd', 'input', 'output', 'cacheWrite', 'cacheRead', 'turns'] as const;

/** What agents have spent. */
export class MemorySpend {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add(session: string, { rows, meter }: LineSpend): void {
    for (const row of rows) {
      const { day, folder, model, person } = row;
      const key = JSON.stringify([day, session, folder, model, person]);
      const known = this.#tables.spend.get(key)?.value;
      const sum = { ...row, session };
      for (const name of COUNTED) sum[name] = Math.max(0, (known?.[name] ?? 0) + row[name]);
      this.#tables.put(this.#tables.spend, key, sum);
    }
    this.#tables.put(this.#tables.meters, session, meter);
  }

  sums({ by, since = '', until = '9999', session, folder }: SpendQuery): SpendSum[] {
    const sums = new Map<string | null, SpendSum>();
    for (const { value } of this.#tables.spend.values()) {
      const isWanted =
        value.day >= since &&
        value.day <= until &&
        (session === undefined || value.session === session) &&
        (folder === undefined || isBelow(value.folder, folder));
      if (!isWanted) continue;
      const key = value[by];
      const sum = sums.get(key) ?? noSum(key);
      for (const name of COUNTED) sum[name] += value[name];
      sums.set(key, sum);
    }
    const all = [...sums.values()];
    const name = ({ key }: SpendSum): string => key ?? '';
    if (by === 'day') return all.toSorted((one, other) => (name(one) < name(other) ? -1 : 1));
    return all.toSorted(
      (one, other) =>
        other.usd - one.usd || tokensOf(other) - tokensOf(one) || (name(one) < name(other) ? -1 : 1),
    );
  }

  folders(day: string): FolderSpend[] {
    const folders = new Map<string | null, FolderSpend>();
    for (const { value } of this.#tables.spend.values()) {
      const { folder } = value;
      const known = folders.get(folder) ?? { folder, usd: 0, tokens: 0, usdOfDay: 0, tokensOfDay: 0 };
      const [usd, tokens] = [value.usd, tokensOf(value)];
      const isOfDay = value.day === day;
      folders.set(folder, {
        folder,
        usd: known.usd + usd,
        tokens: known.tokens + tokens,
        usdOfDay: known.usdOfDay + (isOfDay ? usd : 0),
        tokensOfDay: known.tokensOfDay + (isOfDay ? tokens : 0),
      });
    }
    return [...folders.values()];
  }

  meter(session: string): JsonObject | undefined {
    return this.#tables.meters.get(session)?.value;
  }
}

function noSum(key: string | null): SpendSum {
  return { key, usd: 0, input: 0, output: 0, cacheWrite: 0, cacheRead: 0, turns: 0 };
}

function tokensOf({ input, output, cacheWrite }: Pick<SpendRow, 'input' | 'output' | 'cacheWrite'>): number {
  return input + output + cacheWrite;
}

function isBelow(path: string | null, folder: string): boolean {
  return path === folder || (path ?? '').startsWith(`${folder === '/' ? '' : folder}/`);
}
