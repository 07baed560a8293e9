import { isJsonObject } from '@signalbox/protocol';
import type { EntryMessage, StreamMessage } from 'signalbox/hub';
import { FreshPreviews } from '../hub/fresh-previews.ts';
import type { PersonAsks } from '../run/person-asks.ts';
import { isSdkMessage } from '../run/sdk-message.ts';
import type { TurnOutput } from '../run/turn-output.ts';

/** Hears what is said in one session, and knows how far it has heard. */
export class SessionListener {
  readonly #output: TurnOutput;
  readonly #asks: PersonAsks;
  readonly #previews = new FreshPreviews();
  readonly #waiting = new Set<{ last: number; resolve: () => void }>();
  #heard = 0;

  constructor(output: TurnOutput, asks: PersonAsks) {
    this.#output = output;
    this.#asks = asks;
  }

  /** Settles when the entry of this number was shown, or there is nothing more to hear. */
  heardUpTo(last: number): Promise<void> {
    if (this.#heard >= last) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.add({ last, resolve });
    });
  }

  /** There is nothing more to hear: nobody waits for it. */
  leave(): void {
    this.#hasHeard(Number.POSITIVE_INFINITY);
  }

  hear(message: StreamMessage): void {
    switch (message.type) {
      case 'snapshot':
        for (const permission of message.permissions) this.#asks.take(permission);
        return;
      case 'permission':
        return this.#asks.take(message.permission);
      case 'preview':
        if (this.#previews.isFresh(message.message)) this.#output.preview(message.message);
        return;
      case 'sdk-message':
        return this.#entry(message);
      case 'removed':
      case 'error':
        return this.leave();
      default:
        return;
    }
  }

  #entry({ message, author, seq }: EntryMessage): void {
    const isSaid = isJsonObject(message) && (author?.by ?? 'agent') === 'agent' && isSdkMessage(message);
    if (isSaid) this.#output.show(message);
    this.#hasHeard(seq);
  }

  #hasHeard(seq: number): void {
    this.#heard = Math.max(this.#heard, seq);
    for (const waiter of this.#waiting)
      if (this.#heard >= waiter.last) {
        this.#waiting.delete(waiter);
        waiter.resolve();
      }
  }
}
