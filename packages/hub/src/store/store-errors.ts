import { SignalboxError } from '@signalbox/protocol';

/** What the store refuses, or cannot do. */
export class StoreError extends SignalboxError {
  /** What the message is about; with the code it is all that it takes to make the error again elsewhere. */
  readonly subject: string;

  constructor(code: string, subject: string, message: string) {
    super(code, message);
    this.subject = subject;
  }
}

/** There is no session with this id. */
export class SessionNotFoundError extends StoreError {
  constructor(id: string) {
    super('STORE_SESSION_NOT_FOUND', id, `There is no session ${id}. List the sessions to find its id.`);
  }
}

/** A session was to be created that is there already. */
export class SessionExistsError extends StoreError {
  constructor(id: string) {
    super('STORE_SESSION_EXISTS', id, `There is a session ${id} already. Choose another id.`);
  }
}

/** Somebody with a later generation has taken the session over. */
export class SessionLostError extends StoreError {
  constructor(id: string) {
    super(
      'STORE_SESSION_LOST',
      id,
      `Session ${id} belongs to a later process of the hub. Nothing was stored; whoever is connected here has to connect again.`,
    );
  }
}

/** A loop was to be created that is there already. */
export class LoopExistsError extends StoreError {
  constructor(id: string) {
    super('LOOP_EXISTS', id, `There is a loop ${id} already. Choose another id.`);
  }
}

/** There is no such prompt, permission request or device. */
export class RecordNotFoundError extends StoreError {
  constructor(what: string) {
    super('STORE_NOT_FOUND', what, `There is no ${what}.`);
  }
}

/** A prompt is on its way to the agent, has arrived, or was cancelled. */
export class PromptNotWaitingError extends StoreError {
  constructor(state: string) {
    super('PROMPT_NOT_WAITING', state, `It is too late to change the prompt: it is ${state}.`);
  }
}

/** A client id names another prompt of the session already. */
export class PromptIdTakenError extends StoreError {
  constructor(clientId: string) {
    super(
      'PROMPT_ID_TAKEN',
      clientId,
      `The client id ${clientId} belongs to another prompt of this session. Send this one with an id of its own, such as a new uuid.`,
    );
  }
}

/** More or longer than the store takes. */
export class StoreLimitError extends StoreError {
  constructor(what: string) {
    super('STORE_LIMIT', what, `${what}. Nothing was stored.`);
  }
}

/** A page, a cursor or a number makes no sense. */
export class StoreArgumentError extends StoreError {
  constructor(what: string) {
    super('STORE_ARGUMENT', what, `${what}. Correct the request.`);
  }
}

/** More waits to be stored than is kept in memory. */
export class StoreBusyError extends StoreError {
  constructor(bytes: string) {
    super('STORE_BUSY', bytes, `${bytes} bytes wait to be stored. Wait for earlier calls, then try again.`);
  }
}

/** The disk is full. Nothing that was acknowledged is lost. */
export class StoreFullError extends StoreError {
  constructor(file: string) {
    super(
      'STORE_FULL',
      file,
      `There is no room to store anything in ${file}. Make room: a hub that runs goes on by itself then, one that could not start has to be started again.`,
    );
  }
}

/** The store takes work and does not say what became of it: a disk that hangs, or a thread that does. */
export class StoreStuckError extends StoreError {
  constructor(ms: number) {
    super('STORE_STUCK', String(ms), `The store has not answered for ${ms} ms. Look at the disk it lies on.`);
  }
}

/** The file is no database, or its structure is broken. */
export class StoreCorruptError extends StoreError {
  constructor(detail: string) {
    super(
      'STORE_CORRUPT',
      detail,
      `The store cannot be read: ${detail}. Put a copy back, or move the file away.`,
    );
  }
}

/** Another process has the store open. */
export class StoreInUseError extends StoreError {
  constructor(file: string) {
    super('STORE_IN_USE', file, `${file} is in use by another process. Stop that one, or name another file.`);
  }
}

/** The database was written by a later version. */
export class StoreTooNewError extends StoreError {
  constructor(detail: string) {
    super(
      'STORE_TOO_NEW',
      detail,
      `The store was written by a newer Signalbox (${detail}). Update this one.`,
    );
  }
}

/** An entry of the record is not what was written any more. Logged once for each, and not thrown. */
export class EntryDamagedError extends StoreError {
  constructor(place: string) {
    super(
      'STORE_ENTRY_DAMAGED',
      place,
      `Entry ${place} is damaged. All others can be read; check the disk, and put a copy of the store back to have it again.`,
    );
  }
}

/** Some of what was committed is damaged in the log of the database, or the log is gone. */
export class StoreLogDamagedError extends StoreError {
  constructor(what: string) {
    super(
      'STORE_LOG_DAMAGED',
      what,
      `The log of the database was damaged: ${what}. Check the disk; signalbox doctor tells what became of it.`,
    );
  }
}

/** The index of what was said is not what was written any more. Logged, and not thrown: it is made anew. */
export class SearchIndexDamagedError extends StoreError {
  constructor(why: string) {
    super(
      'SEARCH_INDEX_DAMAGED',
      why,
      `The search index was damaged (${why}) and is being made anew from the record. Searches may find too little until then; check the disk.`,
    );
  }
}

/** A backup is to be put where a database is. */
export class DatabaseThereError extends StoreError {
  constructor(file: string) {
    super(
      'STORE_THERE',
      file,
      `${file} is there already, and is not replaced unless you say so. Nothing was changed.`,
    );
  }
}

/** The store was closed. */
export class StoreClosedError extends StoreError {
  constructor() {
    super('STORE_CLOSED', '', 'The store is closed. Open it again.');
  }
}

/** A value cannot travel between the store's thread and the others: it nests too deep, or is too large. */
export class StoreUnsendableError extends StoreError {
  constructor(detail: string) {
    super(
      'STORE_UNSENDABLE',
      detail,
      `A value cannot be brought to the store or back: ${detail}. The store goes on; look at what was sent.`,
    );
  }
}

/** A row of the store is damaged, or nests deeper than is read. Whatever needs it fails; all else goes on. */
export class StoreUnreadableError extends StoreError {
  constructor(what: string) {
    super(
      'STORE_UNREADABLE',
      what,
      `The store cannot read ${what}. Everything else goes on; remove its session, or put a copy of the store back.`,
    );
  }
}

/** What was given as the address of a database is none. */
export class StoreAddressError extends StoreError {
  constructor(why: string) {
    super(
      'STORE_ADDRESS',
      why,
      `The address of the database cannot be used: ${why}. It looks like postgres://user:password@host:5432/name.`,
    );
  }
}

/** The database does not answer. */
export class StoreUnreachableError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_UNREACHABLE',
      where,
      `The database does not answer: ${where}. Nothing of it is stored, and nothing is lost: start it, or correct the address; a hub that runs goes on by itself then.`,
    );
  }
}

/** The database went away with the end of a transaction, and nobody knows whether it is stored. */
export class StoreUncertainError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_UNCERTAIN',
      where,
      'The database went away while this was being stored, and nobody knows yet whether it is. Ask again with the same idempotency key or client id: it has its effect once.',
    );
  }
}

/** The database answers, and lets nobody in under this name. */
export class StoreRefusedError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_REFUSED',
      where,
      `The database does not let the hub in: ${where}. Correct user, password and name of the database, and what that user may do there.`,
    );
  }
}

/** Nothing can be written to the database. */
export class StoreReadOnlyError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_READ_ONLY',
      where,
      `${where} can only be read. Name the server that takes writes: a standby does so once it is promoted.`,
    );
  }
}

/** Another program keeps its data in the database. */
export class StoreForeignError extends StoreError {
  constructor(name: string) {
    super(
      'STORE_FOREIGN',
      name,
      `The database ${name} has tables of another program. Nothing was changed; make an empty one: createdb signalbox.`,
    );
  }
}

/** Another node has taken the lead. */
export class LeadLostError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_LEAD_LOST',
      where,
      `Another node leads at ${where}: this one did not renew its lease in time. Nothing is lost, and nothing more is stored here; start it again, and it follows the other.`,
    );
  }
}

/** A copy is to go where a hub has its data. */
export class StoreNotEmptyError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_NOT_EMPTY',
      where,
      `${where} has data already, and it is not an unfinished copy of this hub. Nothing was changed; name an empty database or another folder.`,
    );
  }
}

/** Nobody can use a database before all of the copy is there. */
export class StoreCopyUnfinishedError extends StoreError {
  constructor(where: string) {
    super(
      'STORE_COPY_UNFINISHED',
      where,
      `The copy to the database ${where} is not finished. Run signalbox store copy again with the hub that it comes from stopped, or name another database.`,
    );
  }
}

/** What was read back from a copy is not what was written to it. */
export class StoreCopyDiffersError extends StoreError {
  constructor(what: string) {
    super(
      'STORE_COPY_DIFFERS',
      what,
      `The copy is not what the source is: ${what} differs. It cannot be used. Check the memory and the disks of both machines, then copy to an empty database.`,
    );
  }
}

/** The database failed in another way. */
export class StoreFailedError extends StoreError {
  constructor(detail: string) {
    super('STORE_FAILED', detail, `The store failed: ${detail}. Check the disk and its permissions.`);
  }
}

const CLASSES = {
  STORE_SESSION_NOT_FOUND: SessionNotFoundError,
  STORE_SESSION_EXISTS: SessionExistsError,
  STORE_SESSION_LOST: SessionLostError,
  LOOP_EXISTS: LoopExistsError,
  STORE_NOT_FOUND: RecordNotFoundError,
  PROMPT_NOT_WAITING: PromptNotWaitingError,
  PROMPT_ID_TAKEN: PromptIdTakenError,
  STORE_LIMIT: StoreLimitError,
  STORE_ARGUMENT: StoreArgumentError,
  STORE_BUSY: StoreBusyError,
  STORE_FULL: StoreFullError,
  STORE_CORRUPT: StoreCorruptError,
  STORE_IN_USE: StoreInUseError,
  STORE_TOO_NEW: StoreTooNewError,
  STORE_THERE: DatabaseThereError,
  STORE_ADDRESS: StoreAddressError,
  STORE_UNREACHABLE: StoreUnreachableError,
  STORE_UNCERTAIN: StoreUncertainError,
  STORE_REFUSED: StoreRefusedError,
  STORE_READ_ONLY: StoreReadOnlyError,
  STORE_FOREIGN: StoreForeignError,
  STORE_LEAD_LOST: LeadLostError,
  STORE_NOT_EMPTY: StoreNotEmptyError,
  STORE_COPY_UNFINISHED: StoreCopyUnfinishedError,
  STORE_COPY_DIFFERS: StoreCopyDiffersError,
  STORE_CLOSED: StoreClosedError,
  STORE_LOG_DAMAGED: StoreLogDamagedError,
  STORE_UNSENDABLE: StoreUnsendableError,
  STORE_UNREADABLE: StoreUnreadableError,
};

/** An error as it travels between threads, where classes are lost. */
export type StoreFailure = Pick<StoreError, 'code' | 'subject'>;

/** What of an error can travel to another thread. */
export function failureOf({ code, subject }: StoreError): StoreFailure {
  return { code, subject };
}

/** The error that became a {@link StoreFailure} on another thread. */
export function storeErrorOf({ code, subject }: StoreFailure): StoreError {
  for (const [known, Class] of Object.entries(CLASSES)) if (known === code) return new Class(subject);
  return new StoreFailedError(subject);
}
