import type { RecordOutline, SearchQuery } from '@signalbox/protocol/hub';
import type { FoundPage } from '../../search.ts';
import type { Call, Outcome } from '../call.ts';

/** What becomes of a search. */
export type SearchOutcome =
  | { state: 'done'; value: FoundPage | RecordOutline }
  | Extract<Outcome, { state: 'failed' }>;

/** What an index is asked. */
export type IndexQuestion = { kind: 'find'; query: SearchQuery } | { kind: 'outline'; session: string };

/** What the thread of an index is told. `answer` is to what it asked of the store. */
export type ToSearch =
  | { kind: 'commit' }
  | ({ id: number } & IndexQuestion)
  | { kind: 'answer'; outcome: Outcome }
  | { kind: 'close' };

/** What it says: `idle` when the index has all that was recorded for a while. */
export type FromSearch =
  | { kind: 'ask'; call: Call }
  | { kind: 'found'; id: number; outcome: SearchOutcome }
  | { kind: 'damaged'; why: string }
  | { kind: 'idle' };
