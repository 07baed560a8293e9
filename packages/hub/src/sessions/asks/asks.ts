import { isJsonObject, type JsonObject, LIMITS, listAt, type WireLine } from '@signalbox/protocol';
import {
  type Author,
  type PermissionAnswer,
  type PermissionRequest,
  type PersonAnswer,
  pagesOf,
} from '@signalbox/protocol/hub';
import { turns } from '../../base/turns.ts';
import type { Decision } from '../../policy/policy.ts';
import { type Change, changeOf, joinChanges } from '../../store/change.ts';
import type { Effect } from '../../store/commit.ts';
import type { Permissions } from '../../store/permission.ts';
import type { Store } from '../../store/store.ts';
import type { AskBudget } from './ask-budget.ts';
import { AskLimitError, AskNotFoundError } from './ask-errors.ts';
import { type Ask, answerLine, refusalLine } from './ask-line.ts';
import { Grants } from './grants.ts';
import { OpenAsks } from './open-asks.ts';
import { permissionAnswer } from './person-answer.ts';
import { type RuleAnswer, ruleAnswer } from './rule-answer.ts';
import { SubAgents } from './sub-agents.ts';

/** How many questions that are over are stored in one commit. */
const CLOSED_AT_ONCE = 32;

/** A question on its way to its end; without what was asked while it is still on its way into the store. */
interface Closing {
  state: 'withdrawn' | 'expired';
  permission: PermissionRequest | undefined;
}

/** What {@link Asks} needs of its session. */
export interface AsksCallbacks {
  /** Keep the answer to a request in the record; `change` is stored in the same commit, and nothing where it answers nothing. */
  record: (
    author: Author,
    line: string,
    requestId: string,
    change: () => Change | undefined,
  ) => Promise<void>;
  /** Settles with whether the agent has got the line. */
  deliver: (line: string) => Promise<boolean>;
  onChange: (permission: PermissionRequest) => void;
  /** There is no room for a question: its agent is told. */
  onRefused: (error: AskLimitError) => void;
  /** Work that nobody waits for: the session stays in use until it is done. */
  watch: (work: Promise<unknown>) => void;
  /** Where the agent works; null when nobody said. */
  folder: () => string | null;
  /** What tells people who do not look, to be stored with the question; undefined where nobody is to be told. */
  notice: (ask: Ask) => Change | undefined;
  /** What the rules of the hub say of a request. */
  decide: (request: JsonObject) => Decision | undefined;
}

/** What a session's agent asks, and what people answer: each once, whoever comes first. */
export class Asks {
  readonly #store: Store;
  readonly #permissions: Permissions;
  readonly #session: string;
  readonly #callbacks: AsksCallbacks;
  readonly #open: OpenAsks;
  /** Answers on their way into the store. */
  readonly #answering = new Map<string, Promise<PermissionRequest>>();
  /** Answers on their way to the agent. */
  readonly #underWay = new Set<string>();
  /** Answers that the agent has got and that could not be marked as delivered yet. */
  readonly #arrived = new Set<string>();
  /** Answers that went out since the agent was greeted: what it says it still asks may name them. */
  #sinceGreeting: Set<string> | undefined;
  /** Questions that are over and are not so in the store yet. */
  readonly #closing = new Map<string, Closing>();
  #closeWork: Promise<void> | undefined;
  readonly #subAgents = new SubAgents();

  constructor(store: Store, session: string, budget: AskBudget, callbacks: AsksCallbacks) {
    this.#open = new OpenAsks(session, budget);
    this.#store = store;
    this.#permissions = store.permissions;
    this.#session = session;
    this.#callbacks = callbacks;
  }

  /** Those that were open when the hub was here last. */
  async load(): Promise<void> {
    const session = this.#session;
    for await (const page of pagesOf((from) => this.#permissions.listOpen({ session, ...from })))
      for (const permission of page) if (!permission.unread) this.#open.add(permission);
  }

  /** Oldest first. */
  get open(): PermissionRequest[] {
    return this.#open.values();
  }

  /** One that is open. */
  openOne(requestId: string): PermissionRequest | undefined {
    return this.#open.get(requestId);
  }

  /** The agent is about to be asked what it still asks; gives what is open at this moment. */
  greeting(): string[] {
    this.#sinceGreeting = new Set();
    return this.#open.ids();
  }

  /** It did not say. */
  endGreeting(): void {
    this.#sinceGreeting = undefined;
  }

  /** Every line of the agent before it asks: who of its sub-agents asks is told from them. */
  hear(line: WireLine): void {
    this.#subAgents.hear(line);
  }

  /** What a rule answers to a request before people are shown it; undefined when it is theirs. */
  decided({ requestId, request }: Ask): RuleAnswer | undefined {
    if (this.#isKnown(requestId)) return undefined;
    return ruleAnswer(requestId, request, this.#callbacks.decide(request));
  }

  /** True if a rule leaves this request to people: nobody else may answer it in their name. */
  isForPeople(request: JsonObject): boolean {
    return this.#callbacks.decide(request)?.behavior === 'ask';
  }

  /** Rules are others than before: what waits is answered where they decide it. */
  async decideOpen(): Promise<void> {
    for (const { requestId, request } of this.open) {
      if (turns.isOver) await turns.rest();
      const decision = this.#callbacks.decide(request);
      if (!decision || decision.behavior === 'ask' || !this.#open.get(requestId)) continue;
      const { behavior, why, author } = decision;
      this.#callbacks.watch(this.answer(requestId, { behavior, why }, author));
    }
  }

  /**
   * Keep a request together with the line that asks; it is shown once it is durable. One over the limit is refused, unless
   * it is known. What a rule has decided is answered in the same commit. Gives undefined when there is nothing to store.
   */
  asking(ask: Ask, decided?: RuleAnswer): Change | undefined {
    const { requestId, request } = ask;
    // While an answer is on its way there, the store would say that it is open.
    if (this.#isKnown(requestId)) return undefined;
    if (decided && this.#callbacks.decide(request)?.rule.id === decided.ruleId)
      return this.#deciding(request, decided);
    const session = this.#session;
    const isFull = this.#open.size >= LIMITS.openAsks.most;
    if (isFull || !this.#open.begin(requestId, request))
      return changeOf([], (results) => {
        if (results) this.#callbacks.watch(this.#refuse(requestId));
      });
    const parent = this.#subAgents.parentOf(request);
    const opening = changeOf(
      [{ kind: 'open-permission', session, requestId, request, parent }],
      (results) => {
        const [permission] = results ?? [];
        this.#open.settle(requestId, permission);
        if (permission?.state === 'open') this.#callbacks.onChange(permission);
      },
    );
    const told = this.#callbacks.notice(ask);
    return told ? joinChanges([opening, told]) : opening;
  }

  /** The request and its answer: whoever is killed here leaves both, or neither. */
  #deciding(request: JsonObject, { requestId, answer }: RuleAnswer): Change {
    const session = this.#session;
    const parent = this.#subAgents.parentOf(request);
    const effects = [
      { kind: 'open-permission', session, requestId, request, parent },
      { kind: 'answer-permission', session, requestId, answer },
    ] as const;
    return changeOf(effects, (results) => {
      const [, outcome] = results ?? [];
      // One that was asked before has the answer that it had then.
      if (!outcome?.isFirst) return;
      this.#callbacks.onChange(outcome.request);
      this.#deliver(outcome.request);
    });
  }

  #isKnown(requestId: string): boolean {
    if (this.#closing.has(requestId)) return true;
    return this.#open.get(requestId) !== undefined || this.#answering.has(requestId);
  }

  /** Nobody asks any more. */
  async close(requestId: string, state: Closing['state']): Promise<void> {
    const permission = this.#open.get(requestId);
    if (!permission) return;
    this.#close(requestId, state, permission);
    return this.#closed();
  }

  #close(requestId: string, state: Closing['state'], permission?: PermissionRequest): void {
    this.#open.delete(requestId);
    this.#closing.set(requestId, { state, permission });
  }

  /** Settles when all that is to be closed is stored. */
  #closed(): Promise<void> {
    this.#closeWork ??= this.#closeAll().finally(() => {
      this.#closeWork = undefined;
    });
    return this.#closeWork;
  }

  /** A few at a time: others would wait for all of them. */
  async #closeAll(): Promise<void> {
    const session = this.#session;
    let failure: { error: unknown } | undefined;
    while (this.#closing.size > 0) {
      const some = [...this.#closing].slice(0, CLOSED_AT_ONCE);
      const effects = some.map(
        ([requestId, { state }]) => ({ kind: 'close-permission', session, requestId, state }) as const,
      );
      try {
        const { results } = await this.#store.commit({ effects, generation: this.#store.generation });
        for (const permission of results) {
          // It was on its way into the store when it was closed, and is there now.
          this.#open.delete(permission.requestId);
          this.#callbacks.onChange(permission);
        }
      } catch (error) {
        failure = { error };
        // Whoever tries again has to find them.
        for (const [, { permission }] of some) if (permission) this.#open.add(permission);
      }
      for (const [requestId] of some) this.#closing.delete(requestId);
    }
    if (failure) throw failure.error;
  }

  /** Another process has taken the agent's place: what was asked before, on its way into the store or open, is over. */
  expiring(): Change {
    const session = this.#session;
    const open = this.open;
    const asked = [...this.#open.ids(), ...this.#open.opening()];
    for (const requestId of asked) this.#open.delete(requestId);
    const effects = asked.map(
      (requestId) => ({ kind: 'close-permission', session, requestId, state: 'expired' }) as const,
    );
    return changeOf(effects, (results) => {
      // Whoever tries again has to find them.
      if (!results) for (const permission of open) this.#open.add(permission);
      for (const permission of results ?? []) {
        this.#open.delete(permission.requestId);
        this.#callbacks.onChange(permission);
      }
    });
  }

  /** The same by itself, a few at a time. */
  async expire(): Promise<void> {
    for (const permission of this.open) this.#close(permission.requestId, 'expired', permission);
    for (const requestId of this.#open.opening()) this.#close(requestId, 'expired');
    await this.#closed();
  }

  /** True if there are so many that {@link expire} should go before {@link expiring}. */
  get isMany(): boolean {
    return this.#open.size + this.#closing.size > CLOSED_AT_ONCE;
  }

  /** The first answer wins; whoever comes later gets it back. */
  async answer(
    requestId: string,
    said: PersonAnswer,
    author: Author,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    const underWay = this.#answering.get(requestId);
    if (underWay) {
      // Not before it is known what became of the first; when that failed, this one may be the first.
      await underWay.catch(() => {});
      return this.answer(requestId, said, author);
    }
    // An answer to what is still on its way into the store would be nobody's.
    await this.#open.settled(requestId);
    if (this.#answering.has(requestId)) return this.answer(requestId, said, author);
    const asked = this.#open.get(requestId);
    if (!asked) return { permission: await this.#find(requestId), isFirst: false };
    const answering = this.#settle(asked, permissionAnswer(asked.request, said, author));
    this.#answering.set(requestId, answering);
    try {
      const permission = await answering;
      this.#callbacks.watch(this.#settleCovered(permission, author));
      return { permission, isFirst: true };
    } finally {
      this.#answering.delete(requestId);
    }
  }

  /** What was granted for one request settles the others that it covers: nobody is asked what they have answered. */
  async #settleCovered({ answer }: PermissionRequest, author: Author): Promise<void> {
    const granted = listAt(answer?.response, 'updatedPermissions').filter(isJsonObject);
    if (granted.length === 0) return;
    const grants = new Grants(granted, this.#callbacks.folder());
    for (const { requestId, request } of this.open) {
      if (turns.isOver) await turns.rest();
      const by = grants.settling(request);
      if (by === undefined || !this.#open.get(requestId)) continue;
      this.#callbacks.watch(this.answer(requestId, { behavior: 'allow', why: `settled by: ${by}` }, author));
    }
  }

  /**
   * An agent has told what it still asks. Of `openBefore`, which were open before it was asked, all others are
   * over; an answer that it has not got is given once more.
   */
  async reconcile(
    asked: readonly Ask[],
    openBefore: readonly string[],
    end: 'withdrawn' | 'expired',
  ): Promise<void> {
    const stillAsked = new Set(asked.map(({ requestId }) => requestId));
    // An agent that goes on lists the tools that it asks about, and still waits for its forms and dialogs.
    const isSilent = ({ request }: PermissionRequest): boolean =>
      end === 'withdrawn' && request.subtype !== 'can_use_tool';
    for (const requestId of openBefore) {
      const permission = this.#open.get(requestId);
      if (permission && !stillAsked.has(requestId) && !isSilent(permission))
        this.#close(requestId, end, permission);
    }
    await this.#closed();
    for (const ask of asked) {
      const { requestId } = ask;
      const decided = this.decided(ask);
      if (decided) {
        const { answer, line } = decided;
        await this.#callbacks.record(answer.author, line, requestId, () => this.asking(ask, decided));
      } else {
        const asking = this.asking(ask);
        if (asking) await this.#commit(asking);
      }
      this.#arrived.delete(requestId);
      const permission = await this.#permissions.get(this.#session, requestId);
      if (permission?.state === 'answered') this.#deliver(permission);
    }
    for (const permission of await this.#permissions.listUndelivered(this.#session)) {
      const { requestId } = permission;
      if (stillAsked.has(requestId)) continue;
      if (isSilent(permission)) this.#deliver(permission);
      else await this.#permissions.markDelivered(this.#session, requestId);
    }
    this.endGreeting();
  }

  /** The agent has not noticed that the hub was away: it still asks what it asked, and gets what it has not got. */
  async goOn(): Promise<void> {
    for (const permission of await this.#permissions.listUndelivered(this.#session))
      this.#deliver(permission);
    this.endGreeting();
  }

  async #settle(asked: PermissionRequest, answer: PermissionAnswer): Promise<PermissionRequest> {
    const { requestId } = asked;
    const line = answerLine(requestId, answer.response);
    // From here on nobody else is the first.
    this.#open.delete(requestId);
    try {
      const effect: Effect = { kind: 'answer-permission', session: this.#session, requestId, answer };
      await this.#callbacks.record(answer.author, line, requestId, () => changeOf([effect]));
    } catch (error) {
      this.#open.add(asked);
      throw error;
    }
    const permission = await this.#find(requestId);
    this.#callbacks.onChange(permission);
    this.#deliver(permission);
    return permission;
  }

  async #commit({ effects, settle }: Change): Promise<void> {
    try {
      const { results } = await this.#store.commit({ effects, generation: this.#store.generation });
      settle(results);
    } catch (error) {
      settle(undefined);
      throw error;
    }
  }

  async #refuse(requestId: string): Promise<void> {
    if (await this.#permissions.get(this.#session, requestId)) return;
    const error = new AskLimitError();
    this.#callbacks.onRefused(error);
    this.#callbacks.watch(this.#callbacks.deliver(refusalLine(requestId, error.message, error.code)));
  }

  async #find(requestId: string): Promise<PermissionRequest> {
    const permission = await this.#permissions.get(this.#session, requestId);
    if (!permission) throw new AskNotFoundError(requestId);
    return permission;
  }

  /** Once: an answer that the agent is about to get is not given again. */
  #deliver({ requestId, answer }: PermissionRequest): void {
    if (!answer || this.#underWay.has(requestId) || this.#sinceGreeting?.has(requestId)) return;
    this.#underWay.add(requestId);
    this.#sinceGreeting?.add(requestId);
    const line = answerLine(requestId, answer.response);
    const arriving = this.#arrived.has(requestId) ? Promise.resolve(true) : this.#callbacks.deliver(line);
    const marked = arriving
      .finally(() => this.#underWay.delete(requestId))
      .then(async (isDelivered) => {
        if (!isDelivered) return;
        this.#arrived.add(requestId);
        await this.#permissions.markDelivered(this.#session, requestId);
        this.#arrived.delete(requestId);
      });
    this.#callbacks.watch(marked);
  }
}
