import type { Budget } from '@signalbox/protocol/hub';
import { isWithin } from '../policy/session-place.ts';
import type { StoredBudget } from '../store/budget.ts';
import type { SpendRow } from '../store/spend.ts';
import type { Store } from '../store/store.ts';
import { dayOf, nextDay } from './day.ts';
import { tokensOf } from './use.ts';

/** From this share on a budget is near. */
const NEAR = 0.8;

/** Sums of fractions are off by what nobody pays. */
const ROUNDING = 1e-9;

/** Whose spend it is. */
export interface Spender {
  session: string;
  folder: string | null;
}

interface Sum {
  usd: number;
  tokens: number;
}

interface FolderSums {
  all: Sum;
  today: Sum;
}

/** A budget that somebody has come near to, or has used up. */
export type Crossing = Budget & { state: 'near' | 'reached' };

/** All budgets of the hub, and what is spent of each. */
export class Ledger {
  readonly #budgets = new Map<string, { budget: StoredBudget; spent: Sum }>();
  readonly #folders = new Map<string | null, FolderSums>();
  readonly #listeners = new Set<() => void>();
  #day = dayOf(Date.now());
  #midnight: NodeJS.Timeout | undefined;

  /** What an earlier process of the hub has counted. */
  async load(store: Store): Promise<void> {
    this.#day = dayOf(Date.now());
    for (const { folder, usd, tokens, usdOfDay, tokensOfDay } of await store.spend.folders(this.#day))
      this.#folders.set(folder, { all: { usd, tokens }, today: { usd: usdOfDay, tokens: tokensOfDay } });
    for (const budget of await store.budgets.list()) {
      const meter = budget.session === null ? undefined : await store.spend.meter(budget.session);
      this.keep(budget, sumIn(meter?.['spent']));
    }
    this.#waitForMidnight();
  }

  close(): void {
    clearTimeout(this.#midnight);
  }

  /** Hear when a session may be held that was not, or the other way round; returns the way to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Oldest first; of a spender those that count for it. */
  list(spender?: Spender): Budget[] {
    return [...this.#budgets.values()].flatMap(({ budget, spent }) =>
      spender && !countsFor(budget, spender) ? [] : standing(budget, spent),
    );
  }

  get(id: string): Budget | undefined {
    const known = this.#budgets.get(id);
    return known && standing(known.budget, known.spent);
  }

  /** One that is durable; `ofSession` is what its session has spent. */
  keep(budget: StoredBudget, ofSession: Sum = { usd: 0, tokens: 0 }): Budget {
    const known = this.#budgets.get(budget.id);
    const spent = known?.spent ?? (budget.session === null ? this.#spentIn(budget) : { ...ofSession });
    this.#budgets.set(budget.id, { budget, spent });
    this.#tell();
    return standing(budget, spent);
  }

  remove(id: string): void {
    this.#budgets.delete(id);
    this.#tell();
  }

  /** Budgets of a session go with it. */
  forgetSession(session: string): void {
    for (const [id, { budget }] of this.#budgets) if (budget.session === session) this.#budgets.delete(id);
  }

  /** Count what was spent; gives the budgets that are near, or used up, since then. */
  add(spender: Spender, rows: readonly SpendRow[]): Crossing[] {
    this.#turnPage();
    const [news, today] = [nothing(), nothing()];
    for (const row of rows) {
      const sum = { usd: row.usd, tokens: tokensOf(row) };
      plus(news, sum);
      if (row.day === this.#day) plus(today, sum);
    }
    if (rows.length === 0) return [];
    const sums = this.#folders.get(spender.folder) ?? { all: nothing(), today: nothing() };
    this.#folders.set(spender.folder, sums);
    addTo(sums.all, news);
    addTo(sums.today, today);
    return [...this.#budgets.values()].flatMap(({ budget, spent }) => {
      if (!countsFor(budget, spender)) return [];
      const before = stateOf(budget, spent);
      addTo(spent, budget.per === 'day' ? today : news);
      const now = standing(budget, spent);
      // One that is shared holds others as well.
      if (now.state !== before && budget.session === null) this.#tell();
      return isCrossing(now) && now.state !== before && before !== 'reached' ? [now] : [];
    });
  }

  /** The budget that holds a spender, or that it is near. */
  standingOf(spender: Spender): Crossing | undefined {
    this.#turnPage();
    const all = this.list(spender).filter(isCrossing);
    return all.find(({ state }) => state === 'reached') ?? all[0];
  }

  #spentIn({ folder: within, per }: StoredBudget): Sum {
    const spent = nothing();
    for (const [folder, { all, today }] of this.#folders)
      if (within === null || isWithin(folder, within)) addTo(spent, per === 'day' ? today : all);
    return spent;
  }

  /** A day begins with nothing spent. */
  #turnPage(): void {
    const day = dayOf(Date.now());
    if (day === this.#day) return;
    this.#day = day;
    for (const sums of this.#folders.values()) sums.today = nothing();
    for (const one of this.#budgets.values()) if (one.budget.per === 'day') one.spent = nothing();
    this.#tell();
  }

  #waitForMidnight(): void {
    const wait = nextDay(Date.now()) - Date.now();
    this.#midnight = setTimeout(() => {
      this.#turnPage();
      this.#waitForMidnight();
    }, wait + 1).unref();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function nothing(): Sum {
  return { usd: 0, tokens: 0 };
}

function plus(sum: Sum, { usd, tokens }: Sum): void {
  sum.usd += usd;
  sum.tokens += tokens;
}

/** A correction never leaves less than nothing. */
function addTo(sum: Sum, news: Sum): void {
  plus(sum, news);
  sum.usd = Math.max(0, sum.usd);
  sum.tokens = Math.max(0, sum.tokens);
}

function sumIn(value: unknown): Sum {
  const { usd, tokens } = Object(value);
  return { usd: typeof usd === 'number' ? usd : 0, tokens: typeof tokens === 'number' ? tokens : 0 };
}

function countsFor({ session, folder }: StoredBudget, spender: Spender): boolean {
  if (session !== null) return session === spender.session;
  return folder === null || isWithin(spender.folder, folder);
}

function standing(budget: StoredBudget, spent: Sum): Budget {
  return { ...budget, spent: { ...spent }, state: stateOf(budget, spent) };
}

/** The stricter of the two limits counts. */
function stateOf({ usd, tokens }: StoredBudget, spent: Sum): Budget['state'] {
  const share = Math.max(
    usd === null ? 0 : (spent.usd + ROUNDING) / usd,
    tokens === null ? 0 : spent.tokens / tokens,
  );
  return share >= 1 ? 'reached' : share >= NEAR ? 'near' : 'open';
}

function isCrossing(budget: Budget): budget is Crossing {
  return budget.state !== 'open';
}
