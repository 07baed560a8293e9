import type { EntryMessage } from '@signalbox/protocol/hub';

/** A part of a session's record. */
export interface EventWindow {
  last: number;
  entries: EntryMessage[];
}
