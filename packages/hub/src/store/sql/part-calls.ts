import { failureOf, StoreError, StoreFailedError } from '../store-errors.ts';
import type { Call, Outcome } from './call.ts';
import { SqlAnswers } from './parts/answers.ts';
import { SqlAudit } from './parts/audit.ts';
import { SqlBudgets } from './parts/budgets.ts';
import { SqlComments } from './parts/comments.ts';
import { SqlCommits } from './parts/commits.ts';
import { SqlDevices } from './parts/devices.ts';
import { SqlInbox } from './parts/inbox.ts';
import { SqlLaunches } from './parts/launches.ts';
import { SqlLoops } from './parts/loops.ts';
import { SqlNotices } from './parts/notices.ts';
import { SqlPermissions } from './parts/permissions.ts';
import { SqlRules } from './parts/rules.ts';
import { SqlSessions } from './parts/sessions.ts';
import { SqlSpend } from './parts/spend.ts';
import type { RecordChanges } from './record-changes.ts';
import { isSteps, type Steps } from './statement.ts';

/** Carries out calls of the parts of a store, within the transaction of whoever asks. */
export class PartCalls {
  readonly sessions: SqlSessions;
  readonly #commits: SqlCommits;
  readonly #parts: Readonly<Record<string, object>>;

  /** `own` are the parts that each database has in a way of its own. */
  constructor(record: RecordChanges, own: Readonly<Record<string, object>>) {
    const audit = new SqlAudit();
    const notices = new SqlNotices();
    this.sessions = new SqlSessions(record);
    const changed = {
      sessions: this.sessions,
      inbox: new SqlInbox(),
      permissions: new SqlPermissions(audit, notices),
      rules: new SqlRules(),
      budgets: new SqlBudgets(),
      spend: new SqlSpend(),
      notices,
      audit,
      devices: new SqlDevices(audit),
      answers: new SqlAnswers(),
    };
    const others = { launches: new SqlLaunches(), loops: new SqlLoops(), comments: new SqlComments() };
    this.#commits = new SqlCommits(record, changed);
    this.#parts = { ...changed, ...others, ...own, commits: this.#commits };
  }

  /** What a part refuses, it refuses before it has written anything; other errors fail the transaction. */
  *outcomeOf(call: Call): Steps<Outcome> {
    try {
      return { state: 'done', value: yield* this.#valueOf(call) };
    } catch (error) {
      const isRefusal = error instanceof StoreError && !(call.part === 'commits' && this.#commits.isHalfDone);
      if (isRefusal) return { state: 'failed', failure: failureOf(error) };
      throw error;
    }
  }

  *#valueOf({ part, method, values }: Call): Steps<unknown> {
    const target = this.#parts[part];
    const work: unknown = target && Reflect.get(target, method);
    if (typeof work !== 'function') throw new StoreFailedError(`there is no ${part}.${method}`);
    const value: unknown = Reflect.apply(work, target, values);
    return isSteps(value) ? yield* value : value;
  }
}
