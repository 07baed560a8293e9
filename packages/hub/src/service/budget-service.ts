import { randomUUID } from 'node:crypto';
import {
  type Budget,
  type BudgetChange,
  type NewBudget,
  pagesOf,
  type Session,
} from '@signalbox/protocol/hub';
import { realPath } from '@signalbox/transport/real-path';
import { authorOf } from '../auth/identity.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import { BudgetEmptyError, BudgetNotReachedError } from '../spend/budget-errors.ts';
import { budgetWords } from '../spend/budget-words.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { StoredBudget } from '../store/budget.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { RecordNotFoundError } from '../store/store-errors.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** What a {@link BudgetService} works with. */
export interface BudgetServiceParts {
  store: Store;
  sessions: LiveSessions;
  ledger: Ledger;
  decisions: Decisions;
}

/** The limits of what agents may spend. To change one takes `admin`: it is there for those who may drive. */
export class BudgetService {
  readonly #parts: BudgetServiceParts;

  constructor(parts: BudgetServiceParts) {
    this.#parts = parts;
  }

  /** What is said of sessions that nobody uses may be of another day, or of a budget that is gone. */
  async begin(): Promise<void> {
    const { store, sessions } = this.#parts;
    const stale: string[] = [];
    for await (const page of pagesOf((from) => store.sessions.list(from)))
      for (const { id, budget } of page) if (budget !== null) stale.push(id);
    for (const id of stale) await sessions.use(id, (live) => live.turns.budgetChanged());
  }

  async list(by: Device, { session }: { session?: string }): Promise<Budget[]> {
    const { ledger, sessions } = this.#parts;
    if (session === undefined) {
      permit(by, 'watch');
      return ledger.list();
    }
    permit(by, 'watch', session);
    return sessions.use(session, ({ spend }) => ledger.list(spend.spender));
  }

  /** `id` is that of a request that may come again: what it made then is its answer. */
  async add(
    by: Device,
    { session, folder, per, usd, tokens }: NewBudget,
    id: string = randomUUID(),
  ): Promise<Budget> {
    permit(by, 'admin');
    const known = this.#parts.ledger.get(id);
    if (known) return known;
    const budget: StoredBudget = {
      id,
      session: session ?? null,
      folder: folder === undefined ? null : realPath(launchFolder(folder)),
      per: per ?? (session === undefined ? 'day' : 'total'),
      usd: usd ?? null,
      tokens: tokens ?? null,
      author: authorOf(by),
      createdAt: Date.now(),
    };
    return this.#keep(by, budget, 'add budget');
  }

  async change(by: Device, id: string, { usd, tokens }: BudgetChange): Promise<Budget> {
    permit(by, 'admin');
    const { spent: _, state: __, ...known } = this.#known(id);
    const budget = {
      ...known,
      usd: usd === undefined ? known.usd : usd,
      tokens: tokens === undefined ? known.tokens : tokens,
    };
    if (budget.usd === null && budget.tokens === null) throw new BudgetEmptyError();
    return this.#keep(by, budget, 'change budget');
  }

  async remove(by: Device, id: string): Promise<Budget> {
    permit(by, 'admin');
    const budget = this.#known(id);
    const decided = { what: 'remove budget', session: budget.session, subject: budgetWords(budget) };
    await this.#parts.decisions.keep(authorOf(by), decided, { kind: 'remove-budget', id });
    this.#parts.ledger.remove(id);
    return budget;
  }

  /** One more turn of a session, whatever was spent. */
  async allowTurn(by: Device, session: string): Promise<Session> {
    permit(by, 'admin', session);
    return this.#parts.sessions.use(session, async (live) => {
      if (!live.spend.isHeld) throw new BudgetNotReachedError(session);
      await this.#parts.decisions.keep(authorOf(by), { what: 'allow turn beyond budget', session });
      await live.turns.allowTurn(authorOf(by));
      return live.session;
    });
  }

  async #keep(by: Device, budget: StoredBudget, what: string): Promise<Budget> {
    const { decisions, ledger, sessions } = this.#parts;
    const decided = { what, session: budget.session, subject: budgetWords(budget) };
    const [stored] = await decisions.keep(authorOf(by), decided, { kind: 'keep-budget', budget });
    if (stored.session === null) return ledger.keep(stored);
    return sessions.use(stored.session, ({ spend }) => ledger.keep(stored, spend.spent));
  }

  #known(id: string): Budget {
    const budget = this.#parts.ledger.get(id);
    if (!budget) throw new RecordNotFoundError(`budget ${id}`);
    return budget;
  }
}
