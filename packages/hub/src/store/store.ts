import type { Audit } from './audit.ts';
import type { Backups } from './backup.ts';
import type { Budgets } from './budget.ts';
import type { Comments } from './comment.ts';
import type { Commit, Committed, Effect } from './commit.ts';
import type { Devices } from './device.ts';
import type { Disk } from './disk.ts';
import type { KeptAnswers } from './kept-answer.ts';
import type { Launches } from './launch.ts';
import type { Loops } from './loop.ts';
import type { Notices } from './notice.ts';
import type { Permissions } from './permission.ts';
import type { Inbox } from './prompt.ts';
import type { SessionRecord } from './record.ts';
import type { Retention } from './retention.ts';
import type { Rules } from './rule.ts';
import type { Search } from './search.ts';
import type { Sessions } from './session.ts';
import type { Spend } from './spend.ts';
import type { StoreError } from './store-errors.ts';
import type { Updates } from './updates.ts';

/** All that the hub must not forget. A call that settles is durable; calls take effect in the order they were made. */
export interface Store {
  /** Greater than that of every earlier opening: the generation of whatever commits through this one. */
  readonly generation: number;
  /** Settles when all of it is durable; refused, none of it is stored. */
  commit: <const Effects extends readonly Effect[] = readonly []>(
    commit: Commit<Effects>,
  ) => Promise<Committed<Effects>>;
  readonly updates: Updates;
  readonly record: SessionRecord;
  readonly sessions: Sessions;
  readonly inbox: Inbox;
  readonly permissions: Permissions;
  readonly rules: Rules;
  readonly budgets: Budgets;
  readonly spend: Spend;
  readonly notices: Notices;
  readonly audit: Audit;
  readonly devices: Devices;
  readonly answers: KeptAnswers;
  readonly launches: Launches;
  readonly loops: Loops;
  readonly comments: Comments;
  readonly search: Search;
  readonly disk: Disk;
  readonly retention: Retention;
  /** Settles when another node has taken the store over: nothing more is stored through this one. */
  readonly lost?: Promise<StoreError>;
  /**
   * Calls the listener when nobody knows whether what is on its way is stored, and that may take long to find out. Its callers are
   * answered once it is known; all other calls are refused until then.
   */
  readonly onDoubt?: (listener: () => void) => void;
  /** Only where it lies in a file. */
  readonly backups?: Backups;
  /** Finishes what was called for; may be called twice. */
  close(): Promise<void>;
}
