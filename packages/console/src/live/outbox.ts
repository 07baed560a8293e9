import { isJsonObject, parseJson } from '@signalbox/protocol';
import type { HubStream, PromptContent, PromptDelivery } from 'signalbox/hub';
import { ownKey } from '../kept/own-storage.ts';

/** A prompt that was sent and that the hub has not confirmed. */
export interface SentPrompt {
  /** The hub takes a prompt of one id once, however often it is sent. */
  clientId: string;
  session: string;
  content: PromptContent;
  delivery: PromptDelivery;
  sentAt: number;
}

/** A page that is loaded again within this time sends what it had not got through; later, nobody expects that any more. */
const RESEND_MS = 10 * 60_000;

/**
 * Prompts on their way. They are stored with the tab until the hub has them: one that was sent into a connection that was gone is
 * not lost with the page.
 */
export class Outbox {
  readonly #stream: Pick<HubStream, 'prompt'>;
  readonly #onWay = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<() => void>();
  #prompts: readonly SentPrompt[] = [];

  constructor(stream: Pick<HubStream, 'prompt'>) {
    this.#stream = stream;
    // Who closes the tab now should know.
    window.addEventListener('beforeunload', (event) => this.#prompts.length > 0 && event.preventDefault());
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly prompts = (): readonly SentPrompt[] => this.#prompts;

  /** Settles when the hub has it. Raises what the hub refused it for. */
  async send(session: string, content: PromptContent, delivery: PromptDelivery): Promise<void> {
    const clientId = crypto.randomUUID();
    await this.#send({ clientId, session, content, delivery, sentAt: Date.now() });
  }

  /** Settles when everything that is on its way to a session has arrived, or was refused. */
  async settled(session: string): Promise<void> {
    const own = this.#prompts.filter((prompt) => prompt.session === session);
    await Promise.allSettled(own.flatMap(({ clientId }) => this.#onWay.get(clientId) ?? []));
  }

  /** Send what an earlier page of this tab had not got through. What is too old for that, or refused, goes to `giveBack`. */
  resume(giveBack: (prompt: SentPrompt) => void): void {
    const left = this.#stored();
    const old = left.filter(({ sentAt }) => Date.now() - sentAt >= RESEND_MS);
    for (const prompt of old) giveBack(prompt);
    for (const prompt of left) if (!old.includes(prompt)) this.#send(prompt).catch(() => giveBack(prompt));
    this.#become(this.#prompts);
  }

  async #send(prompt: SentPrompt): Promise<void> {
    const { clientId, session, content, delivery } = prompt;
    const sent = this.#stream.prompt(session, content, { id: clientId, delivery });
    this.#onWay.set(clientId, sent);
    this.#become([...this.#prompts, prompt]);
    try {
      await sent;
    } finally {
      this.#onWay.delete(clientId);
      this.#become(this.#prompts.filter((one) => one !== prompt));
    }
  }

  #become(prompts: readonly SentPrompt[]): void {
    this.#prompts = prompts;
    this.#store();
    for (const listener of this.#listeners) listener();
  }

  #store(): void {
    const key = ownKey('sent');
    if (key === undefined) return;
    try {
      if (this.#prompts.length === 0) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(this.#prompts));
    } catch {
      // Images that a tab has no room for: they are on their way as long as the page is there.
    }
  }

  #stored(): readonly SentPrompt[] {
    const key = ownKey('sent');
    try {
      const stored: unknown = parseJson((key === undefined ? null : sessionStorage.getItem(key)) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isSentPrompt) : [];
    } catch {
      return [];
    }
  }
}

function isSentPrompt(value: unknown): value is SentPrompt {
  if (!isJsonObject(value)) return false;
  const { clientId, session, content, sentAt } = value;
  const hasContent = typeof content === 'string' || Array.isArray(content);
  return (
    typeof clientId === 'string' && typeof session === 'string' && hasContent && typeof sentAt === 'number'
  );
}
