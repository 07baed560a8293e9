import { type Device, includesScope } from '../store/device.ts';
import type { Delivery, StoredTarget } from '../store/notice.ts';
import type { Store } from '../store/store.ts';
import { createCapability, isAnswerable } from './capability.ts';
import { type MessageCapability, messageFor } from './notice-message.ts';
import { ntfyRequest } from './ntfy.ts';
import type { OutgoingRequest } from './post.ts';
import { webhookRequest } from './webhook.ts';

/** Makes of notices what each type of target gets. */
export class NoticeRequests {
  readonly #store: Store;
  /** Where people find the hub. */
  readonly #hub: string;

  constructor(store: Store, hub: string) {
    this.#store = store;
    this.#hub = hub;
  }

  async requestFor(target: StoredTarget, delivery: Delivery): Promise<OutgoingRequest> {
    const message = messageFor(delivery, this.#hub, await this.#capability(target, delivery));
    return target.type === 'ntfy' ? ntfyRequest(target, message) : webhookRequest(target, message);
  }

  /** A new one for each attempt: only its hash is kept, and that before it leaves. */
  async #capability(target: StoredTarget, delivery: Delivery): Promise<MessageCapability | null> {
    const { session, requestId } = delivery.notice;
    if (!target.mayAnswer || delivery.state !== 'waiting' || session === null || requestId === null)
      return null;
    const asked = await this.#store.permissions.get(session, requestId);
    if (asked?.state !== 'open' || !isAnswerable(asked.request)) return null;
    const { text, stored } = createCapability(delivery, asked);
    await this.#store.notices.grant(stored);
    return {
      url: `${this.#hub}/api/notice-answers`,
      capability: text,
      // Behind the #, which neither logs nor previews of links see.
      page: `${this.#hub}/notice#${text}`,
      expiresAt: stored.expiresAt,
    };
  }
}

/** Whether a device is still good for answering what a session asks. */
export function mayApprove(device: Device | undefined, session: string): boolean {
  if (!device || device.revokedAt !== null) return false;
  if (device.expiresAt !== null && device.expiresAt <= Date.now()) return false;
  return includesScope(device.scope, 'approve') && (device.session === null || device.session === session);
}
