import { type Commit, type Effect, type EffectResults, isToAppend, sessionsOf } from '../commit.ts';
import type { Appended } from '../record.ts';
import { SessionLostError } from '../store-errors.ts';
import type { PackedAppend } from './packed-lines.ts';
import type { RecordWriter } from './record-writer.ts';
import type { SqliteAnswers } from './sqlite-answers.ts';
import type { SqliteAudit } from './sqlite-audit.ts';
import type { SqliteBudgets } from './sqlite-budgets.ts';
import type { SqliteDevices } from './sqlite-devices.ts';
import type { SqliteInbox } from './sqlite-inbox.ts';
import type { SqliteNotices } from './sqlite-notices.ts';
import type { SqlitePermissions } from './sqlite-permissions.ts';
import type { SqliteRules } from './sqlite-rules.ts';
import type { SqliteSessions } from './sqlite-sessions.ts';
import type { SqliteSpend } from './sqlite-spend.ts';

/** A commit with its lines packed as they travel between threads. */
export interface PackedCommit extends Omit<Commit, 'appends'> {
  appends: readonly PackedAppend[];
}

const NOTHING_APPENDED: Appended = { first: 0, count: 0, checks: [] };

/** The parts that effects change. */
export interface ChangedParts {
  sessions: SqliteSessions;
  inbox: SqliteInbox;
  permissions: SqlitePermissions;
  rules: SqliteRules;
  budgets: SqliteBudgets;
  spend: SqliteSpend;
  notices: SqliteNotices;
  audit: SqliteAudit;
  devices: SqliteDevices;
  answers: SqliteAnswers;
}

/** Carries out commits, within the transaction of whoever calls. */
export class SqliteCommits {
  readonly #writer: RecordWriter;
  readonly #parts: ChangedParts;
  #isHalfDone = false;

  constructor(writer: RecordWriter, parts: ChangedParts) {
    this.#writer = writer;
    this.#parts = parts;
  }

  /** Whether the commit that was refused last has written something already: the transaction has to fail with it. */
  get isHalfDone(): boolean {
    return this.#isHalfDone;
  }

  apply(commit: PackedCommit): { appended: Appended[]; results: unknown[] } {
    const { appends, effects = [], generation } = commit;
    this.#isHalfDone = false;
    for (const { session } of appends) this.#writer.session(session);
    if (generation !== undefined) this.#own(sessionsOf(commit), generation);
    const results = effects.map((effect) => {
      const result = this.#result(effect);
      this.#isHalfDone = true;
      return result;
    });
    const appended = appends.map((append) =>
      isToAppend(append, effects, results) ? this.#append(append) : NOTHING_APPENDED,
    );
    this.#isHalfDone = false;
    return { appended, results };
  }

  /** Lines, and what those of them have cost that are new. */
  #append(append: PackedAppend): Appended {
    const appended = this.#writer.append(append);
    const first = append.ends.length - appended.count;
    for (const [at, spend] of append.spends) if (at >= first) this.#parts.spend.add(append.session, spend);
    return appended;
  }

  /** A later generation takes a session over; an earlier one is refused from then on. */
  #own(ids: ReadonlySet<string>, generation: number): void {
    const sessions = [...ids].map((id) => this.#writer.session(id));
    for (const session of sessions)
      if (session.generation > generation) throw new SessionLostError(session.id);
    for (const session of sessions) {
      if (session.generation === generation) continue;
      this.#writer.own(session, generation);
      this.#isHalfDone = true;
    }
  }

  #result(effect: Effect): EffectResults[Effect['kind']] {
    const { sessions, inbox, permissions, rules, budgets, audit, devices, answers, notices } = this.#parts;
    switch (effect.kind) {
      case 'open-permission':
        return permissions.open(effect.session, effect.requestId, effect.request, effect.parent);
      case 'answer-permission':
        return permissions.answer(effect.session, effect.requestId, effect.answer);
      case 'close-permission':
        return permissions.close(effect.session, effect.requestId, effect.state);
      case 'edit-prompt':
        return inbox.edit(effect.id, effect.change);
      case 'cancel-prompt':
        return inbox.cancel(effect.id);
      case 'create-session':
        return sessions.create(effect.session, effect.facts);
      case 'update-session':
        return sessions.update(effect.session, effect.facts, effect.updatedAt);
      case 'end-import':
        return sessions.endImport(effect.session, effect.facts);
      case 'remove-session':
        sessions.remove(effect.session);
        return undefined;
      case 'add-device':
        return devices.add(effect.grant, effect.id);
      case 'revoke-device':
        return devices.revoke(effect.id);
      case 'create-link':
        return devices.createLink(effect.grant, effect.lifetimeMs, effect.by);
      case 'keep-answer':
        return answers.keep(effect.principal, effect.key, effect.answer, effect.lifetimeMs);
      case 'create-rule':
        return rules.create(effect.rule);
      case 'remove-rule':
        return rules.remove(effect.id);
      case 'keep-budget':
        return budgets.keep(effect.budget);
      case 'remove-budget':
        return budgets.remove(effect.id);
      case 'add-notice':
        return notices.add(effect.notice, effect.deliveries);
      case 'add-notice-target':
        return notices.addTarget(effect.target);
      case 'remove-notice-target':
        return notices.removeTarget(effect.id);
      case 'audit':
        return audit.add(effect.decision);
    }
  }
}
