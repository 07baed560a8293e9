import type { ClientMessage } from '@signalbox/protocol/hub';
import { HubConnectionLostError, HubRefusedError, TooManyWaitingError } from './hub-errors.ts';

/** How many operations may wait for the hub: all of them go out at once after a break, and it works on 100 at most. */
export const MAX_WAITING_OPERATIONS = 50;

interface Operation {
  message: ClientMessage;
  isRepeatable: boolean;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** What was asked of the hub and not answered. Prompts and answers outlive a break: said twice, they count once. */
export class Operations {
  readonly #waiting = new Map<string, Operation>();

  /** Keep an operation until it is answered. */
  add(message: ClientMessage): Promise<unknown> {
    if (this.#waiting.size >= MAX_WAITING_OPERATIONS)
      return Promise.reject(new TooManyWaitingError(MAX_WAITING_OPERATIONS));
    const isRepeatable = message.type === 'user-message' || message.type === 'answer';
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { message, isRepeatable, resolve, reject });
    });
  }

  /** What has to be said again over a new connection, in its order. */
  repeatable(): ClientMessage[] {
    return [...this.#waiting.values()].map(({ message }) => message);
  }

  settle(id: string, result: unknown): void {
    this.#take(id)?.resolve(result);
  }

  refuse(id: string, code: string, message: string): void {
    this.#take(id)?.reject(new HubRefusedError(code, message));
  }

  /** The connection broke. */
  lost(): void {
    for (const [id, { isRepeatable }] of this.#waiting)
      if (!isRepeatable) this.#take(id)?.reject(new HubConnectionLostError());
  }

  /** There will be no other connection. */
  end(error: Error): void {
    for (const id of this.#waiting.keys()) this.#take(id)?.reject(error);
  }

  #take(id: string): Operation | undefined {
    const operation = this.#waiting.get(id);
    this.#waiting.delete(id);
    return operation;
  }
}
