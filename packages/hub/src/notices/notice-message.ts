import type { NoticeKind } from '@signalbox/protocol/hub';
import type { Delivery } from '../store/notice.ts';

/** A right to answer that comes with a notice. */
export interface MessageCapability {
  /** Where it is posted, with the capability and `allow` or `deny` as behavior. */
  url: string;
  capability: string;
  /** A page that shows what would be allowed, and asks. */
  page: string;
  expiresAt: number;
}

/** A notice as it leaves the hub. */
export interface NoticeMessage {
  /** `closed`: what was asked is answered; whoever shows the notice can take it away. */
  event: NoticeKind | 'closed';
  notice: string;
  delivery: string;
  session: string | null;
  requestId: string | null;
  title: string;
  body: string;
  createdAt: number;
  /** Where the session can be looked at. */
  url: string;
  answer: MessageCapability | null;
}

export function messageFor(
  { id, state, notice }: Delivery,
  hub: string,
  answer: MessageCapability | null,
): NoticeMessage {
  const { session, requestId, title, body, createdAt } = notice;
  const path = session === null ? '/' : `/sessions/${encodeURIComponent(session)}`;
  return {
    event: state === 'closing' ? 'closed' : notice.kind,
    notice: notice.id,
    delivery: id,
    session,
    requestId,
    title,
    body: state === 'closing' ? 'Answered.' : body,
    createdAt,
    url: `${hub}${path}`,
    answer,
  };
}
