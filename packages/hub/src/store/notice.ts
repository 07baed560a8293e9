import type {
  DeliveryState,
  Notice,
  NoticeKind,
  NoticeTarget,
  Page,
  PageRequest,
} from '@signalbox/protocol/hub';

/** Where notices go, with what it takes to send them. Only `NoticeTarget` is ever shown. */
export type StoredTarget = NoticeTarget & {
  url: string;
  /** What a webhook is signed with. */
  secret: string | null;
  /** What an ntfy server is shown. */
  token: string | null;
  /** What a push subscription is encrypted for. */
  keys: { p256dh: string; auth: string } | null;
};

/** Something that people are to be told. */
export interface NewNotice {
  id: string;
  session: string | null;
  /** What led to it, once in its session: what comes again over a link does not tell people again. */
  cause: string;
  kind: NoticeKind;
  /** The question that it tells of: once that is answered, there is nothing to tell. */
  requestId: string | null;
  title: string;
  body: string;
}

/** A notice on its way to one target. */
export interface Delivery {
  id: string;
  notice: NewNotice & { createdAt: number };
  target: string;
  state: DeliveryState;
  attempts: number;
  /** When it was first due: from then on its patience is counted. */
  since: number;
}

/** What came of an attempt. */
export interface DeliveryChange {
  state: DeliveryState;
  outcome: string | null;
  nextAt: number | null;
}

/** A right to answer one question once, as it is kept: whoever reads it here cannot use it. */
export interface StoredCapability {
  id: string;
  /** Of the secret, in hex. */
  hash: string;
  session: string;
  requestId: string;
  /** Of what was asked, in hex. */
  digest: string;
  target: string;
  notice: string;
  expiresAt: number;
}

/** What people are told when they do not look, where, and what became of it. */
export interface Notices {
  /**
   * To these targets, each in its first state. Nothing when there is one for this cause already, or when the question that it tells
   * of is not open; a target with too many that wait fails at once. Raises `STORE_SESSION_NOT_FOUND`.
   */
  add(
    notice: NewNotice,
    deliveries: readonly { target: string; state: DeliveryState; outcome?: string }[],
  ): Promise<Delivery[]>;
  /** What is to be sent or closed until `now`, oldest first, and when there is more; nothing for those in `except`. */
  due(
    now: number,
    limit: number,
    except?: readonly string[],
  ): Promise<{ deliveries: Delivery[]; next: number | null }>;
  /** It is being tried once more. */
  begin(id: string): Promise<void>;
  /** What came of that. Where the question was answered meanwhile, what was sent is to be closed. */
  settle(id: string, change: DeliveryChange): Promise<DeliveryState | undefined>;
  /** Nobody looks any more, at one session or at all: what was held is due. Gives how many. */
  release(session?: string): Promise<number>;
  /** Newest first. */
  list(request?: PageRequest & { session?: string; targets?: readonly string[] }): Promise<Page<Notice>>;
  /** Forget the oldest beyond what is kept, and rights that are over. */
  prune(now: number): Promise<void>;
  /** Raises `STORE_LIMIT` or `STORE_SESSION_NOT_FOUND`. One of the same id or the same push address is replaced. */
  addTarget(target: StoredTarget): Promise<StoredTarget>;
  /** Oldest first; one that cannot be read is left out. */
  targets(): Promise<StoredTarget[]>;
  /** It is gone: what waits for it has failed. Raises `STORE_NOT_FOUND`. */
  retireTarget(id: string, why: string): Promise<StoredTarget>;
  /** With all that is known of what became of its notices. Gives what it was. Raises `STORE_NOT_FOUND`. */
  removeTarget(id: string): Promise<StoredTarget>;
  grant(capability: StoredCapability): Promise<void>;
  capability(id: string): Promise<StoredCapability | undefined>;
}
