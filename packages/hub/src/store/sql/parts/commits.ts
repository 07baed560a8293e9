import { type Commit, type Effect, type EffectResults, isToAppend, sessionsOf } from '../../commit.ts';
import type { Appended } from '../../record.ts';
import { SessionLostError } from '../../store-errors.ts';
import type { WrittenPrompt } from '../../written-prompt.ts';
import type { PackedAppend } from '../packed-lines.ts';
import type { OwnedSession, RecordChanges } from '../record-changes.ts';
import type { Steps } from '../statement.ts';
import type { SqlAnswers } from './answers.ts';
import type { SqlAudit } from './audit.ts';
import type { SqlBudgets } from './budgets.ts';
import type { SqlDevices } from './devices.ts';
import type { SqlInbox } from './inbox.ts';
import type { SqlNotices } from './notices.ts';
import type { SqlPermissions } from './permissions.ts';
import type { SqlRules } from './rules.ts';
import type { SqlSessions } from './sessions.ts';
import type { SqlSpend } from './spend.ts';

/** A commit with its lines packed as they travel between threads. */
export interface PackedCommit extends Omit<Commit, 'appends'> {
  appends: readonly PackedAppend[];
}

const NOTHING_APPENDED: Appended = { first: 0, count: 0, checks: [] };

/** The parts that effects change. */
export interface ChangedParts {
  sessions: SqlSessions;
  inbox: SqlInbox;
  permissions: SqlPermissions;
  rules: SqlRules;
  budgets: SqlBudgets;
  spend: SqlSpend;
  notices: SqlNotices;
  audit: SqlAudit;
  devices: SqlDevices;
  answers: SqlAnswers;
}

/** Carries out commits, within the transaction of whoever calls. */
export class SqlCommits {
  readonly #record: RecordChanges;
  readonly #parts: ChangedParts;
  #isHalfDone = false;

  constructor(record: RecordChanges, parts: ChangedParts) {
    this.#record = record;
    this.#parts = parts;
  }

  /** Whether the commit that was refused last has written something already: the transaction has to fail with it. */
  get isHalfDone(): boolean {
    return this.#isHalfDone;
  }

  *apply(commit: PackedCommit): Steps<{ appended: Appended[]; results: unknown[] }> {
    const { appends, effects = [], generation } = commit;
    this.#isHalfDone = false;
    for (const { session } of appends) yield* this.#record.session(session);
    if (generation !== undefined) yield* this.#own(sessionsOf(commit), generation);
    const results: unknown[] = [];
    for (const effect of effects) {
      results.push(yield* this.#result(effect));
      this.#isHalfDone = true;
    }
    const appended: Appended[] = [];
    for (const append of appends)
      appended.push(isToAppend(append, effects, results) ? yield* this.#append(append) : NOTHING_APPENDED);
    this.#isHalfDone = false;
    return { appended, results };
  }

  /** Lines, and what those of them have cost that are new. */
  *#append(append: PackedAppend): Steps<Appended> {
    const appended = yield* this.#record.append(append);
    const first = append.ends.length - appended.count;
    for (const [at, spend] of append.spends)
      if (at >= first) yield* this.#parts.spend.add(append.session, spend);
    return appended;
  }

  /** A later generation takes a session over; an earlier one is refused from then on. */
  *#own(ids: ReadonlySet<string>, generation: number): Steps<void> {
    const sessions: OwnedSession[] = [];
    for (const id of ids) sessions.push(yield* this.#record.session(id));
    for (const session of sessions)
      if (session.generation > generation) throw new SessionLostError(session.id);
    for (const session of sessions) {
      if (session.generation === generation) continue;
      yield* this.#record.own(session, generation);
      this.#isHalfDone = true;
    }
  }

  #result(effect: Effect): Steps<EffectResults[Effect['kind']] | WrittenPrompt> {
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
        return removed(sessions.remove(effect.session));
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

function* removed(work: Steps<void>): Steps<undefined> {
  yield* work;
  return undefined;
}
