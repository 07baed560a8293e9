import { type Device, includesScope } from '../store/device.ts';
import type { Delivery, StoredTarget } from '../store/notice.ts';
import type { Store } from '../store/store.ts';
import { createCapability, isAnswerable } from './capability.ts';
import { type MessageCapability, messageFor } from './notice-message.ts';
import { ntfyRequest } from './ntfy.ts';
import type { OutgoingRequest } from './post.ts';
import { pushRequest } from './push.ts';
import type { PushKeys } from './push-keys.ts';
import { webhookRequest } from './webhook.ts';

/** Makes of notices what each type of target gets. */
export class NoticeRequests {
  readonly #store: Store;
  /** Where people find the hub. */
  readonly #hub: string;
  readonly #pushKeys: PushKeys | undefined;

  constructor(store: Store, hub: string, pushKeys: PushKeys | undefined) {
    this.#store = store;
    this.#hub = hub;
    this.#pushKeys = pushKeys;
  }

  async requestFor(target: StoredTarget, delivery: Delivery): Promise<OutgoingRequest | { gone: string }> {
    const { type, device: owner } = target;
    const device = owner === null ? undefined : await this.#store.devices.get(owner);
    if (owner !== null && !isGood(device)) return { gone: 'Its device is signed out' };
    const mayAnswer = owner === null || mayApprove(device, delivery.notice.session ?? '');
    const answer = mayAnswer ? await this.#capability(target, delivery) : null;
    const message = messageFor(delivery, this.#hub, answer);
    if (type === 'webhook') return webhookRequest(target, message);
    if (type === 'ntfy') return ntfyRequest(target, message);
    const own = await this.#pushKeys?.get();
    if (!own) return { gone: 'This hub has no keys for push services' };
    try {
      return await pushRequest(target, message, own, this.#hub);
    } catch {
      return { gone: 'Nothing can be encrypted for its keys' };
    }
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
  if (!isGood(device)) return false;
  return includesScope(device.scope, 'approve') && (device.session === null || device.session === session);
}

function isGood(device: Device | undefined): device is Device {
  if (!device || device.revokedAt !== null) return false;
  return device.expiresAt === null || device.expiresAt > Date.now();
}
