import { randomUUID } from 'node:crypto';
import {
  type NewNoticeTarget,
  type NewPushSubscription,
  NOTICE_KINDS,
  type Notice,
  type NoticeTarget,
  type Page,
  type PageRequest,
} from '@signalbox/protocol/hub';
import { ForbiddenError } from '../auth/auth-errors.ts';
import { authorOf } from '../auth/identity.ts';
import { RequestInvalidError } from '../base/request-errors.ts';
import { checkedUrl, shownAddress } from '../notices/endpoint.ts';
import { NoticeTargetRetiredError, NoticeUrlError } from '../notices/notice-errors.ts';
import type { NoticeOutbox } from '../notices/notice-outbox.ts';
import { ntfyTopic } from '../notices/ntfy.ts';
import { areKeys } from '../notices/push.ts';
import type { PushKeys } from '../notices/push-keys.ts';
import { createWebhookSecret } from '../notices/webhook.ts';
import { type Device, includesScope } from '../store/device.ts';
import type { StoredTarget } from '../store/notice.ts';
import type { Store } from '../store/store.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** What a {@link NoticeService} works with. */
export interface NoticeServiceParts {
  store: Store;
  outbox: NoticeOutbox;
  /** Undefined where nothing can be pushed. */
  pushKeys: PushKeys | undefined;
  decisions: Decisions;
}

/** Where people are told of what happens, and what became of it. A target of the hub takes `admin`: it hears of all sessions. */
export class NoticeService {
  readonly #parts: NoticeServiceParts;

  constructor(parts: NoticeServiceParts) {
    this.#parts = parts;
  }

  async list(by: Device, request: PageRequest & { session?: string }): Promise<Page<Notice>> {
    const { store, outbox } = this.#parts;
    if (isAdmin(by)) return store.notices.list(request);
    const targets = outbox.targets.filter((target) => isOwn(by, target)).map(({ id }) => id);
    return store.notices.list({ ...request, targets });
  }

  async targets(by: Device): Promise<NoticeTarget[]> {
    const { targets } = this.#parts.outbox;
    return targets.filter((target) => isAdmin(by) || isOwn(by, target)).map(shownTarget);
  }

  /** `id` is that of a request that may come again. */
  async add(
    by: Device,
    body: NewNoticeTarget,
    id: string = randomUUID(),
  ): Promise<{ target: NoticeTarget; secret: string | null }> {
    permit(by, 'admin');
    const { allowsPrivate = false, mayAnswer = false, kinds = [...NOTICE_KINDS], session = null } = body;
    const url = checkedUrl(body.url, { allowsPrivate });
    if (body.type === 'ntfy') ntfyTopic(url);
    const target = await this.#keep(by, {
      id,
      type: body.type,
      name: body.name ?? `${body.type} at ${url.host}`,
      address: shownAddress(url),
      kinds,
      session,
      mayAnswer,
      allowsPrivate,
      author: authorOf(by),
      device: null,
      createdAt: Date.now(),
      retired: null,
      url: url.href,
      secret: body.type === 'webhook' ? createWebhookSecret() : null,
      token: body.type === 'ntfy' ? (body.token ?? null) : null,
      keys: null,
    });
    return { target: shownTarget(target), secret: target.secret };
  }

  /** What a browser subscribes to; null where nothing can be pushed. */
  async pushKey(by: Device): Promise<string | null> {
    permit(by, 'watch', by.session ?? undefined);
    return (await this.#parts.pushKeys?.get())?.publicKey ?? null;
  }

  /** A device has one subscription: another one takes its place. It ends with the device. */
  async subscribe(by: Device, body: NewPushSubscription): Promise<NoticeTarget> {
    const { session = by.session, allowsPrivate = false, kinds = [...NOTICE_KINDS], keys } = body;
    permit(by, 'watch', session ?? undefined);
    // An agent must not have a say in what the hub connects to.
    if (by.kind !== 'person' || (allowsPrivate && !isAdmin(by))) throw new ForbiddenError('admin');
    const url = checkedUrl(body.endpoint, { allowsPrivate });
    if (url.protocol !== 'https:') throw new NoticeUrlError('a push service has an address with https://');
    if (!areKeys(keys)) throw new RequestInvalidError('the keys are not those of a push subscription');
    const known = this.#parts.outbox.targets.find((target) => isOwn(by, target));
    const target = await this.#keep(by, {
      id: known?.id ?? randomUUID(),
      type: 'push',
      name: body.name ?? by.name,
      address: url.origin,
      kinds,
      session,
      mayAnswer: includesScope(by.scope, 'approve'),
      allowsPrivate,
      author: authorOf(by),
      device: by.id,
      createdAt: Date.now(),
      retired: null,
      url: url.href,
      secret: null,
      token: null,
      keys,
    });
    return shownTarget(target);
  }

  async remove(by: Device, id: string): Promise<NoticeTarget> {
    const { outbox, decisions } = this.#parts;
    const { name, session } = this.#ownTarget(by, id);
    const decided = { what: 'remove notice target', session, subject: name, isPrivate: true };
    const [target] = await decisions.keep(authorOf(by), decided, { kind: 'remove-notice-target', id });
    outbox.forget(id);
    return shownTarget(target);
  }

  async test(by: Device, id: string): Promise<{ notice: string }> {
    const target = this.#ownTarget(by, id);
    if (target.retired) throw new NoticeTargetRetiredError(target.retired.why);
    return { notice: await this.#parts.outbox.test(target) };
  }

  async #keep(by: Device, target: StoredTarget): Promise<StoredTarget> {
    const { outbox, decisions } = this.#parts;
    const { session, name, type } = target;
    const subject = `${type}: ${name}`;
    const decided = { what: 'add notice target', session, subject, isPrivate: true };
    const [kept] = await decisions.keep(authorOf(by), decided, { kind: 'add-notice-target', target });
    outbox.keep(kept);
    return kept;
  }

  /** What is somebody else's is as good as not there, unless one may do everything. */
  #ownTarget(by: Device, id: string): StoredTarget {
    const target = this.#parts.outbox.target(id);
    if (!isOwn(by, target)) permit(by, 'admin');
    return target;
  }
}

function isAdmin({ scope, session }: Device): boolean {
  return session === null && includesScope(scope, 'admin');
}

function isOwn({ id }: Device, { device }: StoredTarget): boolean {
  return device === id;
}

/** Without anything that would let others send in the hub's name. */
function shownTarget(target: StoredTarget): NoticeTarget {
  const { id, type, name, address, kinds, session, mayAnswer, allowsPrivate } = target;
  const { author, device, createdAt, retired } = target;
  const rest = { author, device, createdAt, retired };
  return { id, type, name, address, kinds, session, mayAnswer, allowsPrivate, ...rest };
}
