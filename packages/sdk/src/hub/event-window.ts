import type { EntryMessage } from '@signalbox/protocol/hub';

/** A part of a session's record. */
export interface EventWindow {
  last: number;
  /** The number of the last entry that was taken away by retention; not there when none was. */
  trimmed?: number;
  entries: EntryMessage[];
}
