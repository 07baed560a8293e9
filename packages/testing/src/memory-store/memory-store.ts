import {
  type Append,
  type Appended,
  type Commit,
  type Committed,
  type Effect,
  type EffectResults,
  isToAppend,
  SessionLostError,
  type SessionRecord,
  type Store,
  StoreClosedError,
  sessionsOf,
} from '@signalbox/hub/store';
import { MemoryAnswers, MemoryDevices } from './memory-access.ts';
import { MemoryBudgets } from './memory-budgets.ts';
import { MemoryComments } from './memory-comments.ts';
import { MemoryInbox } from './memory-inbox.ts';
import { MemoryLoops } from './memory-loops.ts';
import { MemoryNotices } from './memory-notices.ts';
import { MemoryAudit, MemoryPermissions } from './memory-permissions.ts';
import { copyOf, MemoryRecord } from './memory-record.ts';
import { MemoryRetention } from './memory-retention.ts';
import { MemoryRules } from './memory-rules.ts';
import { MemorySearch } from './memory-search.ts';
import { MemorySessions } from './memory-sessions.ts';
import { MemorySpend } from './memory-spend.ts';
import { MemoryUpdates } from './memory-updates.ts';
import { Tables } from './tables.ts';

/** A store of maps and lists, which shares nothing with SQLite: what it forgets when it closes nobody finds again. */
export async function openPlainMemoryStore(): Promise<Store> {
  const store = new MemoryStore();
  const { sessions, inbox, permissions, rules, notices, audit, devices, answers, loops, comments } = store;
  const record: Pick<SessionRecord, 'damaged' | 'onDamaged'> = { damaged: 0, onDamaged: () => () => {} };
  return {
    generation: 1,
    commit: (commit) => store.commit(commit),
    updates: {
      after: async (position, limit) => store.work(() => store.updates.after(position, limit)),
      onUpdate: (listener) => store.onUpdate(listener),
    },
    record: Object.assign(store.asynchronous('record', store.record), record),
    sessions: store.asynchronous('sessions', sessions),
    inbox: store.asynchronous('inbox', inbox),
    permissions: store.asynchronous('permissions', permissions),
    rules: store.asynchronous('rules', rules),
    budgets: store.asynchronous('budgets', store.budgets),
    spend: store.asynchronous('spend', store.spend),
    notices: store.asynchronous('notices', notices),
    audit: store.asynchronous('audit', audit),
    devices: store.asynchronous('devices', devices),
    answers: store.asynchronous('answers', answers),
    launches: {
      keep: async (session, launch) =>
        store.work(() => sessions.keepLaunch(session, structuredClone(launch))),
      get: async (session) => store.work(() => sessions.launch(session)),
    },
    loops: store.asynchronous('loops', loops),
    comments: store.asynchronous('comments', comments),
    search: store.asynchronous('search', store.search),
    disk: { probe: async () => store.work(() => undefined) },
    retention: store.asynchronous('retention', store.retention),
    close: async () => store.close(),
  };
}

class MemoryStore {
  readonly tables = new Tables();
  readonly record = new MemoryRecord(this.tables);
  readonly sessions = new MemorySessions(this.tables);
  readonly inbox = new MemoryInbox(this.tables);
  readonly audit = new MemoryAudit(this.tables);
  readonly notices = new MemoryNotices(this.tables);
  readonly permissions = new MemoryPermissions(this.tables, this.audit, this.notices);
  readonly rules = new MemoryRules(this.tables);
  readonly budgets = new MemoryBudgets(this.tables);
  readonly spend = new MemorySpend(this.tables);
  readonly devices = new MemoryDevices(this.tables, this.audit);
  readonly answers = new MemoryAnswers(this.tables);
  readonly loops = new MemoryLoops(this.tables);
  readonly comments = new MemoryComments(this.tables);
  readonly updates = new MemoryUpdates(this.tables);
  readonly search = new MemorySearch(this.tables);
  readonly retention = new MemoryRetention(this.tables);
  readonly #listeners = new Set<() => void>();
  #isOpen = true;

  close(): void {
    this.#isOpen = false;
  }

  /** All of it, or nothing. */
  work<Result>(work: () => Result): Result {
    if (!this.#isOpen) throw new StoreClosedError();
    const before = this.tables.position;
    const result = this.tables.together(work);
    if (this.tables.position > before) for (const listener of this.#listeners) listener();
    return result;
  }

  onUpdate(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async commit<Effects extends readonly Effect[]>(commit: Commit<Effects>): Promise<Committed<Effects>> {
    const appends = copyOf(commit.appends ?? []);
    const effects = structuredClone(commit.effects ?? []);
    const { generation } = commit;
    const committed = this.work(() => {
      for (const { session } of appends) this.tables.session(session);
      if (generation !== undefined) for (const session of sessionsOf(commit)) this.#own(session, generation);
      const results = effects.map((effect) => this.#result(effect));
      const appended = appends.map((append) =>
        isToAppend(append, effects, results) ? this.#append(append) : { first: 0, count: 0, checks: [] },
      );
      return { appended, results };
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each effect gives a result of its kind
    return committed as unknown as Committed<Effects>;
  }

  #append(append: Append): Appended {
    const appended = this.record.append(append);
    for (const { spend } of append.lines.slice(append.lines.length - appended.count))
      if (spend) this.spend.add(append.session, spend);
    return appended;
  }

  /** A part as its callers see it: what it is given stays theirs. */
  asynchronous<Name extends keyof Store>(_: Name, part: object): Store[Name] {
    const methods = new Proxy(part, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function' || name === 'onDamaged') return method;
        return async (...values: unknown[]): Promise<unknown> => {
          const own = structuredClone(values);
          return this.work((): unknown => Reflect.apply(method, target, own));
        };
      },
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part has the same methods, without promises
    return methods as Store[Name];
  }

  #own(id: string, generation: number): void {
    const session = this.tables.session(id);
    if (session.generation > generation) throw new SessionLostError(id);
    if (session.generation < generation) this.tables.change(id, { generation });
  }

  #result(effect: Effect): EffectResults[Effect['kind']] {
    switch (effect.kind) {
      case 'open-permission':
        return this.permissions.open(effect.session, effect.requestId, effect.request, effect.parent);
      case 'answer-permission':
        return this.permissions.answer(effect.session, effect.requestId, effect.answer);
      case 'close-permission':
        return this.permissions.close(effect.session, effect.requestId, effect.state);
      case 'edit-prompt':
        return this.inbox.edit(effect.id, effect.change);
      case 'cancel-prompt':
        return this.inbox.cancel(effect.id);
      case 'create-session':
        return this.sessions.create(effect.session, effect.facts);
      case 'update-session':
        return this.sessions.update(effect.session, effect.facts, effect.updatedAt);
      case 'end-import':
        return this.sessions.endImport(effect.session, effect.facts);
      case 'remove-session':
        this.sessions.remove(effect.session);
        return undefined;
      case 'add-device':
        return this.devices.add(effect.grant, effect.id);
      case 'revoke-device':
        return this.devices.revoke(effect.id);
      case 'create-link':
        return this.devices.createLink(effect.grant, effect.lifetimeMs, effect.by);
      case 'keep-answer':
        return this.answers.keep(effect.principal, effect.key, effect.answer, effect.lifetimeMs);
      case 'create-rule':
        return this.rules.create(effect.rule);
      case 'remove-rule':
        return this.rules.remove(effect.id);
      case 'keep-budget':
        return this.budgets.keep(effect.budget);
      case 'remove-budget':
        return this.budgets.remove(effect.id);
      case 'add-notice':
        return this.notices.add(effect.notice, effect.deliveries);
      case 'add-notice-target':
        return this.notices.addTarget(effect.target);
      case 'remove-notice-target':
        return this.notices.removeTarget(effect.id);
      case 'audit':
        return this.audit.add(effect.decision);
    }
  }
}
