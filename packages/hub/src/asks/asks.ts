import type { JsonObject } from '@signalbox/protocol';
import type { Author, PermissionRequest, PersonAnswer } from '@signalbox/protocol/hub';
import type { Permissions } from '../store/permission.ts';
import { AskNotFoundError } from './ask-errors.ts';
import { type Ask, answerLine } from './ask-line.ts';
import { permissionAnswer } from './person-answer.ts';

/** What {@link Asks} needs of its session. */
export interface AsksOutlets {
  /** Keep a line in the record; `along` is stored in the same commit. */
  record: (author: Author, line: string, along: () => Promise<unknown>) => Promise<void>;
  /** Settles with whether the agent has got the line. */
  deliver: (line: string) => Promise<boolean>;
  onChange: (permission: PermissionRequest) => void;
  onTrouble: (error: unknown) => void;
}

/** What a session's agent asks, and what people answer: each once, whoever comes first. */
export class Asks {
  readonly #permissions: Permissions;
  readonly #session: string;
  readonly #outlets: AsksOutlets;
  readonly #open = new Map<string, PermissionRequest>();

  constructor(permissions: Permissions, session: string, outlets: AsksOutlets) {
    this.#permissions = permissions;
    this.#session = session;
    this.#outlets = outlets;
  }

  /** Those that were open when the hub was here last. */
  async load(): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.#permissions.listOpen({ session: this.#session, ...(after ? { after } : {}) });
      for (const permission of page.items) this.#open.set(permission.requestId, permission);
      after = page.next;
    } while (after !== undefined);
  }

  /** Oldest first. */
  get open(): PermissionRequest[] {
    return [...this.#open.values()];
  }

  /** Keep a request; it is shown once it is durable. */
  async ask(requestId: string, request: JsonObject): Promise<PermissionRequest> {
    const permission = await this.#permissions.open(this.#session, requestId, request);
    if (permission.state === 'open' && !this.#open.has(requestId)) {
      this.#open.set(requestId, permission);
      this.#outlets.onChange(permission);
    }
    return permission;
  }

  /** Nobody asks any more. */
  async close(requestId: string, state: 'withdrawn' | 'expired'): Promise<void> {
    if (!this.#open.delete(requestId)) return;
    this.#outlets.onChange(await this.#permissions.close(this.#session, requestId, state));
  }

  /** The first answer wins; whoever comes later gets it back. */
  async answer(
    requestId: string,
    said: PersonAnswer,
    author: Author,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    const asked = this.#open.get(requestId);
    if (!asked) return { permission: await this.#find(requestId), isFirst: false };
    const answer = permissionAnswer(asked.request, said, author);
    const line = answerLine(requestId, answer.response);
    // From here on nobody else is the first.
    this.#open.delete(requestId);
    try {
      const along = (): Promise<unknown> => this.#permissions.answer(this.#session, requestId, answer);
      await this.#outlets.record(author, line, along);
    } catch (error) {
      this.#open.set(requestId, asked);
      throw error;
    }
    const permission = await this.#find(requestId);
    this.#outlets.onChange(permission);
    this.#deliver(permission);
    return { permission, isFirst: true };
  }

  /**
   * An agent has told what it still asks. Of `openBefore`, which were open before it was asked, all others are
   * over; an answer that it has not got is given once more.
   */
  async reconcile(
    asked: readonly Ask[],
    openBefore: readonly string[],
    end: 'withdrawn' | 'expired',
  ): Promise<void> {
    const stillAsked = new Set(asked.map(({ requestId }) => requestId));
    for (const requestId of openBefore) if (!stillAsked.has(requestId)) await this.close(requestId, end);
    for (const { requestId, request } of asked) {
      const permission = await this.ask(requestId, request);
      if (permission.state === 'answered') this.#deliver(permission);
    }
    for (const { requestId } of await this.#permissions.listUndelivered(this.#session)) {
      if (!stillAsked.has(requestId)) await this.#permissions.markDelivered(this.#session, requestId);
    }
  }

  async #find(requestId: string): Promise<PermissionRequest> {
    const permission = await this.#permissions.get(this.#session, requestId);
    if (!permission) throw new AskNotFoundError(requestId);
    return permission;
  }

  #deliver({ requestId, answer }: PermissionRequest): void {
    if (!answer) return;
    this.#outlets
      .deliver(answerLine(requestId, answer.response))
      .then(async (isDelivered) => {
        if (isDelivered) await this.#permissions.markDelivered(this.#session, requestId);
      })
      .catch(this.#outlets.onTrouble);
  }
}
