import { createHmac, randomBytes } from 'node:crypto';
import type { StoredTarget } from '../store/notice.ts';
import type { NoticeMessage } from './notice-message.ts';
import type { OutgoingRequest } from './post.ts';

const PREFIX = 'whsec_';

/** What a webhook is signed with, in the form of the Standard Webhooks. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** A notice for a webhook: signed with the time, so that it cannot be said again later. */
export function webhookRequest(
  { url, secret }: Pick<StoredTarget, 'url' | 'secret'>,
  message: NoticeMessage,
  now = Date.now(),
): OutgoingRequest {
  const body = JSON.stringify(message);
  // The same for every attempt, and another one for its end.
  const id = `${message.delivery}${message.event === 'closed' ? '-closed' : ''}`;
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from((secret ?? '').slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    url: new URL(url),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'signalbox',
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}
