/** What a notice may be about. `test` is one that a person asked for. */
export const NOTICE_KINDS = ['asks', 'finished', 'failed', 'budget'] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number] | 'test';

/**
 * What became of a notice at one target. `held`: somebody looks, and the question still waits; `quiet`: somebody looked, and that
 * was it; `closing` and `closed`: it was sent, and is answered elsewhere.
 */
export const DELIVERY_STATES = [
  'held',
  'quiet',
  'waiting',
  'sent',
  'failed',
  'withdrawn',
  'closing',
  'closed',
] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What a notice says of a session behind its name. */
export type NoticeEnd =
  | 'asks you'
  | 'could not be started'
  | 'has failed'
  | 'has finished'
  | 'has used up a budget'
  | 'nears a budget';

/** What notices say where nobody gave them words. */
export type NoticeBody =
  | 'It asks something.'
  | 'You will be told here when an agent needs you.'
  | 'It failed without saying why.';
