import { randomUUID } from 'node:crypto';
import {
  type Backtest,
  type HubRule,
  MAX_PAGE_ITEMS,
  type NewRule,
  type Page,
  type PageRequest,
  pagesOf,
  type RuleSuggestion,
} from '@signalbox/protocol/hub';
import { realPath } from '@signalbox/transport/real-path';
import { authorOf } from '../auth/identity.ts';
import { KeyedQueue } from '../base/keyed-queue.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import { backtest } from '../policy/backtest.ts';
import { checkRule, compareRules } from '../policy/check-rule.ts';
import type { Policy } from '../policy/policy.ts';
import { ruleWords } from '../policy/rule-words.ts';
import { proposeRules, ruleFor } from '../policy/suggest.ts';
import { AskNotFoundError } from '../sessions/asks/ask-errors.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { StoredRule } from '../store/rule.ts';
import type { Store } from '../store/store.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreArgumentError } from '../store/store-errors.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** What a {@link RuleService} works with. */
export interface RuleServiceParts {
  store: Store;
  sessions: LiveSessions;
  policy: Policy;
  decisions: Decisions;
}

/**
 * The rules that decide before people are asked. To write one takes `admin`: whoever may approve a call must not decide what
 * others are asked.
 */
export class RuleService {
  readonly #parts: RuleServiceParts;
  /** One look at the past at a time for each device: it reads all of it. */
  readonly #looks = new KeyedQueue();
  /** One change at a time: two that contradict each other are compared. */
  readonly #changes = new KeyedQueue();

  constructor(parts: RuleServiceParts) {
    this.#parts = parts;
  }

  async list(
    by: Device,
    { session, after = '0', limit = MAX_PAGE_ITEMS }: PageRequest & { session?: string },
  ): Promise<Page<HubRule>> {
    permit(by, 'watch');
    const { policy, sessions } = this.#parts;
    const start = Number(after);
    if (!Number.isSafeInteger(start) || start < 0)
      throw new StoreArgumentError(`There is no page after ${after}`);
    const all =
      session === undefined
        ? policy.rules
        : await sessions.use(session, ({ place }) => policy.rulesIn(place));
    const items = all.slice(start, start + limit);
    return all.length > start + limit ? { items, next: String(start + limit) } : { items };
  }

  /** `id` is that of a request that may come again: what it made then is its answer. */
  async add(
    by: Device,
    body: NewRule,
    id: string = randomUUID(),
  ): Promise<{ rule: HubRule; overrules: HubRule[] }> {
    permit(by, 'admin');
    const { policy, decisions } = this.#parts;
    const { rule, overrules } = await this.#changes.run('', async () => {
      const known = policy.get(id);
      if (known) return { rule: known, overrules: [] };
      const made = { ...(await this.#ruleOf(by, body)), id };
      const outdone = compareRules({ ...made, isStored: true }, policy.rules);
      const { session } = made;
      const decided = { what: 'add rule', session, subject: ruleWords(made) };
      const [stored] = await decisions.keep(authorOf(by), decided, { kind: 'create-rule', rule: made });
      return { rule: policy.add(stored), overrules: outdone };
    });
    await this.#decideOpen();
    return { rule, overrules };
  }

  async remove(by: Device, id: string): Promise<HubRule> {
    permit(by, 'admin');
    const { policy, decisions } = this.#parts;
    return this.#changes.run('', async () => {
      const rule = policy.get(id);
      if (!rule) throw new RecordNotFoundError(`rule ${id}`);
      const decided = { what: 'remove rule', session: rule.session, subject: ruleWords(rule) };
      if (rule.isStored) await decisions.keep(authorOf(by), decided, { kind: 'remove-rule', id });
      else await decisions.keep(authorOf(by), decided);
      policy.remove(id);
      return rule;
    });
  }

  /** What a rule would have done. */
  async test(by: Device, body: NewRule): Promise<Backtest> {
    permit(by, 'watch');
    const rule = { ...(await this.#ruleOf(by, body)), isStored: true };
    return this.#looks.run(by.id, () => backtest(this.#parts.store, rule));
  }

  /** Rules that follow from what people have answered; of one request that is open, the rule that would answer it. */
  async suggest(
    by: Device,
    { session, request }: { session?: string; request?: string },
  ): Promise<RuleSuggestion[]> {
    permit(by, 'watch');
    const { store, sessions, policy } = this.#parts;
    if (session === undefined || request === undefined)
      return this.#looks.run(by.id, () => proposeRules(store, policy.rules));
    return sessions.use(session, ({ asks, place }) => {
      const asked = asks.openOne(request);
      if (!asked) throw new AskNotFoundError(request);
      return ruleFor(asked.request, place);
    });
  }

  async #ruleOf(by: Device, { rule: text, behavior, folder, session }: NewRule): Promise<StoredRule> {
    const rule = text.trim();
    const place = folder === undefined ? null : realPath(launchFolder(folder));
    checkRule(rule, behavior, place);
    if (session !== undefined && !(await this.#parts.store.sessions.get(session)))
      throw new SessionNotFoundError(session);
    const scope = { folder: place, session: session ?? null };
    return { id: '', rule, behavior, ...scope, author: authorOf(by), createdAt: Date.now() };
  }

  /** What waits for people is answered where the rules decide it now. */
  async #decideOpen(): Promise<void> {
    const { store, sessions } = this.#parts;
    const asking = new Set<string>();
    for await (const page of pagesOf((from) => store.permissions.listOpen(from)))
      for (const { session } of page) asking.add(session);
    for (const id of asking) await sessions.use(id, ({ asks }) => asks.decideOpen());
  }
}
