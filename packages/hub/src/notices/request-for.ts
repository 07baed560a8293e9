import type { Delivery, StoredTarget } from '../store/notice.ts';
import { messageFor } from './notice-message.ts';
import type { OutgoingRequest } from './post.ts';
import { webhookRequest } from './webhook.ts';

/** What is made of notices for each type of target. `hub` is where people find it. */
export async function requestFor(
  hub: string,
  target: StoredTarget,
  delivery: Delivery,
): Promise<OutgoingRequest | { gone: string }> {
  const message = messageFor(delivery, hub, null);
  return webhookRequest(target, message);
}
