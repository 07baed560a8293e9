import type { Appended } from '../record.ts';
import type { PackedAppend } from './packed-lines.ts';
import type { Steps } from './statement.ts';

/** A session whose record a commit is about. */
export interface OwnedSession {
  id: string;
  /** The latest generation that has committed to it. */
  generation: number;
}

/** How commits change the record, which each database keeps in a way of its own. */
export interface RecordChanges {
  /** Raises `STORE_SESSION_NOT_FOUND`. */
  session(id: string): Steps<OwnedSession>;
  /** The session is known to be there. */
  append(append: PackedAppend): Steps<Appended>;
  /** The session belongs to the owner of this generation from now on. */
  own(session: OwnedSession, generation: number): Steps<void>;
  /** The position of an update that is no line; 0 where it is known only at the end of the commit, and stored then. */
  noteUpdate(id: string): number;
  /** Remove all lines of a session. Raises `STORE_SESSION_NOT_FOUND`. */
  remove(id: string): Steps<void>;
  /** Tell those who follow updates that a session is gone. */
  noteRemoved(id: string): Steps<void>;
}
