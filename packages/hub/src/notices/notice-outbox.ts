import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { NOTICE_KINDS, type NoticeKind } from '@signalbox/protocol/hub';
import { type Change, changeOf } from '../store/change.ts';
import type { Delivery, StoredTarget } from '../store/notice.ts';
import type { Store } from '../store/store.ts';
import { RecordNotFoundError } from '../store/store-errors.ts';
import {
  type AttemptOutcome,
  changeAfter,
  NOTICE_PATIENCE,
  type NoticePatience,
  outcomeOf,
  outcomeOfError,
} from './attempt-outcome.ts';
import { NoticePace } from './notice-pace.ts';
import type { NoticeWords } from './notice-words.ts';
import { type OutgoingRequest, post } from './post.ts';

/** How many attempts are under way at once: of all, and of one target. */
const AT_ONCE = 32;
const AT_ONCE_EACH = 4;

/** After how many notices the oldest are forgotten. */
const TIDY_EACH = 500;

/** How many of those that are due are looked at together. */
const LOOK_AT = 100;

/** What a {@link NoticeOutbox} works with. */
export interface NoticeOutboxParts {
  store: Store;
  /** What leaves for a target; undefined when it cannot get it any more, with why. */
  requestFor: (target: StoredTarget, delivery: Delivery) => Promise<OutgoingRequest | { gone: string }>;
  patience?: Partial<NoticePatience>;
  onTrouble: (error: unknown, session?: string) => void;
  /** An attempt is over. */
  onOutcome?: (target: StoredTarget, delivery: Delivery, outcome: AttemptOutcome) => void;
}

/**
 * Sends what people are to be told. What is to be sent is stored by whoever causes it, in the same commit; this only carries it out,
 * and a hub that is killed goes on with what is due. An attempt that nobody knows the end of is made again, under the same id.
 */
export class NoticeOutbox {
  readonly #parts: NoticeOutboxParts;
  readonly #patience: NoticePatience;
  readonly #targets = new Map<string, StoredTarget>();
  readonly #underWay = new Map<string, { target: string; work: Promise<void> }>();
  readonly #ending = new AbortController();
  readonly #pace = new NoticePace();
  #look: Promise<void> | undefined;
  #isCalled = false;
  #added = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: NoticeOutboxParts) {
    this.#parts = parts;
    this.#patience = { ...NOTICE_PATIENCE, ...parts.patience };
  }

  /** Go on where the last process of the hub ended: nobody looks at anything yet. */
  async begin(): Promise<void> {
    const { notices } = this.#parts.store;
    for (const target of await notices.targets()) this.#targets.set(target.id, target);
    await notices.prune(Date.now());
    await notices.release();
    this.call();
  }

  /** Oldest first. */
  get targets(): StoredTarget[] {
    return [...this.#targets.values()];
  }

  /** Raises `STORE_NOT_FOUND`. */
  target(id: string): StoredTarget {
    const target = this.#targets.get(id);
    if (!target) throw new RecordNotFoundError(`target ${id} of notices`);
    return target;
  }

  /** One that is stored is new or another than before. */
  keep(target: StoredTarget): void {
    for (const { id, type, url } of this.targets)
      if (type === 'push' && target.type === 'push' && url === target.url && id !== target.id)
        this.forget(id);
    this.#targets.set(target.id, target);
  }

  /** One was removed. */
  forget(id: string): void {
    this.#targets.delete(id);
  }

  /** A session is no more, and its own targets are not either. */
  forgetSession(session: string): void {
    this.#pace.attended(session);
    for (const { id, session: own } of this.targets) if (own === session) this.forget(id);
  }

  /** True if anybody is told of this kind, in this session. */
  wants(kind: NoticeKind, session: string): boolean {
    return this.#targetsFor(kind, session).length > 0;
  }

  /**
   * What tells people of something, to be stored in the commit that causes it; it leaves once that is durable. While somebody looks, a
   * question is held back until nobody does, and all else is quiet. Undefined where nobody is to be told.
   */
  noting(words: NoticeWords, isWatched: boolean): Change | undefined {
    const { kind, session } = words;
    const targets = session === null ? [] : this.#targetsFor(kind, session);
    if (targets.length === 0) return undefined;
    const state = isWatched ? (kind === 'asks' ? 'held' : 'quiet') : 'waiting';
    const outcome = isWatched ? { outcome: 'Somebody was looking' } : {};
    const deliveries = targets.map(({ id }) => ({ target: id, state, ...outcome }) as const);
    const notice = { ...words, id: randomUUID() };
    return changeOf([{ kind: 'add-notice', notice, deliveries }], (results) => {
      for (const delivery of results?.[0] ?? []) this.#begin(delivery);
      this.#tidy();
    });
  }

  /** A notice for one target, because somebody asks for it. Gives its id. */
  async test(target: StoredTarget): Promise<string> {
    const id = randomUUID();
    const words = {
      title: 'A test notice of Signalbox',
      body: 'You will be told here when an agent needs you.',
    };
    const rest = { session: null, cause: id, kind: 'test', requestId: null } as const;
    const { notices } = this.#parts.store;
    const deliveries = await notices.add({ id, ...rest, ...words }, [
      { target: target.id, state: 'waiting' },
    ]);
    for (const delivery of deliveries) this.#begin(delivery);
    this.#tidy();
    return id;
  }

  /** Somebody answers or prompts in a session: they may be called again. */
  attended(session: string): void {
    this.#pace.attended(session);
  }

  /** The last one who looked at a session does so no longer. */
  async release(session: string): Promise<void> {
    this.attended(session);
    if (this.#targets.size > 0 && (await this.#parts.store.notices.release(session)) > 0) this.call();
  }

  /** Something may be due. */
  call(): void {
    if (this.#ending.signal.aborted || this.#targets.size === 0) return;
    this.#isCalled = true;
    this.#look ??= this.#lookAtDue()
      .catch((error: unknown) => {
        this.#parts.onTrouble(error);
        this.#wake(Date.now() + this.#patience.firstPauseMs);
      })
      .finally(() => {
        this.#look = undefined;
        if (this.#isCalled) this.call();
      });
  }

  /** Settles when nothing is under way any more. What was cut off is tried again by the next process. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#isCalled = false;
    clearTimeout(this.#timer);
    await this.#look;
    await Promise.all(Array.from(this.#underWay.values(), ({ work }) => work));
  }

  /** What is over is kept up to a limit. */
  #tidy(): void {
    this.#added += 1;
    if (this.#added % TIDY_EACH !== 0) return;
    this.#parts.store.notices.prune(Date.now()).catch(this.#parts.onTrouble);
  }

  #targetsFor(kind: NoticeKind, session: string): StoredTarget[] {
    return this.targets.filter(
      ({ kinds, session: only, retired }) =>
        retired === null &&
        (only === null || only === session) &&
        NOTICE_KINDS.some((one) => one === kind && kinds.includes(one)),
    );
  }

  async #lookAtDue(): Promise<void> {
    while (this.#isCalled) {
      this.#isCalled = false;
      const now = Date.now();
      const busy = this.targets.flatMap(({ id }) => (this.#isBusy(id) ? id : []));
      const { deliveries, next } = await this.#parts.store.notices.due(now, LOOK_AT, busy);
      for (const delivery of deliveries) this.#begin(delivery);
      this.#wake(next);
    }
  }

  #wake(at: number | null): void {
    clearTimeout(this.#timer);
    if (at === null || this.#ending.signal.aborted) return;
    // A clock that is set must not make it wait for ever.
    const ms = Math.min(Math.max(0, at - Date.now()), this.#patience.longestPauseMs);
    this.#timer = setTimeout(() => this.call(), ms).unref();
  }

  #isBusy(target: string): boolean {
    let count = 0;
    for (const one of this.#underWay.values()) if (one.target === target) count += 1;
    return count >= AT_ONCE_EACH;
  }

  /** At once, where there is room: what is left is found again when an attempt ends. */
  #begin(delivery: Delivery): void {
    const { id, target: to, state } = delivery;
    const target = this.#targets.get(to);
    if (this.#ending.signal.aborted || !target || (state !== 'waiting' && state !== 'closing')) return;
    if (this.#underWay.has(id) || this.#underWay.size >= AT_ONCE || this.#isBusy(to)) return;
    const work = this.#attempt(target, delivery)
      .catch((error: unknown) => this.#parts.onTrouble(error, delivery.notice.session ?? undefined))
      .finally(() => {
        this.#underWay.delete(id);
        this.call();
      });
    this.#underWay.set(id, { target: to, work });
  }

  async #attempt(target: StoredTarget, due: Delivery): Promise<void> {
    const { notices } = this.#parts.store;
    const paced = this.#pace.take(due, Date.now());
    if ('change' in paced)
      return this.#keepTrying(async () => void (await notices.settle(due.id, paced.change)));
    const delivery = paced.leaves;
    const begun = notices.begin(delivery.id);
    // Whoever waits for it below hears of it.
    begun.catch(() => {});
    const outcome = await this.#outcome(target, delivery);
    if (!outcome) return;
    await this.#keepTrying(async () => {
      await begun.catch(() => notices.begin(delivery.id));
      await notices.settle(delivery.id, changeAfter(delivery, outcome, this.#patience, Date.now()));
      if (outcome.how === 'gone') this.keep(await notices.retireTarget(target.id, outcome.words));
    });
    this.#parts.onOutcome?.(target, delivery, outcome);
  }

  /** What was sent and cannot be stored must not be sent again and again: a full disk would flood every target. */
  async #keepTrying(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        this.#parts.onTrouble(error);
        await pause(this.#patience.firstPauseMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  /** Undefined when the hub ends. */
  async #outcome(target: StoredTarget, delivery: Delivery): Promise<AttemptOutcome | undefined> {
    const { signal } = this.#ending;
    try {
      const request = await this.#parts.requestFor(target, delivery);
      if ('gone' in request) return { how: 'gone', words: request.gone };
      const { timeoutMs } = this.#patience;
      const { allowsPrivate, type } = target;
      return outcomeOf(await post(request, { allowsPrivate, timeoutMs, signal }), type);
    } catch (error) {
      return signal.aborted ? undefined : outcomeOfError(error);
    }
  }
}
