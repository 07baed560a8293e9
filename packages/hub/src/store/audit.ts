import type { Author, Page, PageRequest } from '@signalbox/protocol/hub';

/** A decision that somebody answers for. */
export interface Decision {
  session: string | null;
  /** What it is about: a request id, a device. */
  subject: string | null;
  author: Author;
  what: string;
  why: string | null;
}

/** A decision in the log. */
export interface AuditEntry extends Decision {
  id: number;
  time: number;
}

/** Who decided what, when, from where and why. Answers to permission requests are in it by themselves. */
export interface Audit {
  add(decision: Decision): Promise<AuditEntry>;
  /** Newest first. */
  list(request?: PageRequest & { session?: string }): Promise<Page<AuditEntry>>;
}
