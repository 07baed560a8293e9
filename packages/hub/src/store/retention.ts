/** What is forgotten by its age alone. */
export type ForgottenKind = 'prompts' | 'permissions' | 'audit' | 'devices';

/** What a store takes on its disk. */
export interface StoreSize {
  /** Its files, the search index included. */
  fileBytes: number;
  /** What of the database is in use; what is free there is used again before the file grows. */
  usedBytes: number;
}

/** Takes away what is old. What is open (questions, prompts that wait, devices that are signed in) stays, whatever its age. */
export interface Retention {
  /** The number of the last entry of a session that is older than `time`, as are all before it; that of the last trimmed one when none is. */
  olderThan(session: string, time: number): Promise<number>;
  /** Take away the entries up to this one. Their numbers are not used again, and readers are told. */
  trim(session: string, upTo: number): Promise<void>;
  /** Remove what ended before `time`, some at a time. Gives how many; 0 when there are no more. */
  forget(kind: ForgottenKind, time: number): Promise<number>;
  size(): Promise<StoreSize>;
}
