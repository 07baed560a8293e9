import type { Audit } from './audit.ts';
import type { Devices } from './device.ts';
import type { Disk } from './disk.ts';
import type { KeptAnswers } from './kept-answer.ts';
import type { Launches } from './launch.ts';
import type { Permissions } from './permission.ts';
import type { Inbox } from './prompt.ts';
import type { SessionRecord } from './record.ts';
import type { Sessions } from './session.ts';

/** All that the hub must not forget. A call that settles is durable; calls take effect in the order they were made. */
export interface Store {
  /**
   * Names this opening of the store. Each opening begins a new epoch and knows those before it, so that a cursor
   * from a history that was lost, as when an old copy is put back, is told from one that can be honoured.
   */
  readonly epoch: string;
  readonly record: SessionRecord;
  readonly sessions: Sessions;
  readonly inbox: Inbox;
  readonly permissions: Permissions;
  readonly audit: Audit;
  readonly devices: Devices;
  readonly answers: KeptAnswers;
  readonly launches: Launches;
  readonly disk: Disk;
  /** Finishes what was called for; may be called twice. */
  close(): Promise<void>;
}
