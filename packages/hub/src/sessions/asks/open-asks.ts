import type { JsonObject } from '@signalbox/protocol';
import type { PermissionRequest } from '@signalbox/protocol/hub';
import type { AskBudget } from './ask-budget.ts';

/** The questions of a session that wait for people, oldest first, and those on their way into the store. */
export class OpenAsks {
  readonly #session: string;
  readonly #budget: AskBudget;
  readonly #open = new Map<string, PermissionRequest>();
  /** With those who wait until one is there. */
  readonly #opening = new Map<string, (() => void)[]>();
  readonly #bytes = new Map<string, number>();
  #sum = 0;

  constructor(session: string, budget: AskBudget) {
    this.#session = session;
    this.#budget = budget;
  }

  /** With those on their way. */
  get size(): number {
    return this.#open.size + this.#opening.size;
  }

  get(requestId: string): PermissionRequest | undefined {
    return this.#open.get(requestId);
  }

  values(): PermissionRequest[] {
    return [...this.#open.values()];
  }

  /** Without those on their way. */
  ids(): string[] {
    return [...this.#open.keys()];
  }

  opening(): string[] {
    return [...this.#opening.keys()];
  }

  /** Keep room for one that is on its way into the store; false when there is none. */
  begin(requestId: string, request: JsonObject): boolean {
    const bytes = bytesOf(request);
    if (!this.#budget.hasRoom(this.#session, bytes)) return false;
    this.#opening.set(requestId, []);
    this.#count(requestId, bytes);
    return true;
  }

  /** It is there, or never will be. */
  settle(requestId: string, permission: PermissionRequest | undefined): void {
    const waiting = this.#opening.get(requestId) ?? [];
    this.#opening.delete(requestId);
    if (permission?.state === 'open') this.#open.set(requestId, permission);
    else this.#count(requestId, 0);
    for (const tell of waiting) tell();
  }

  /** Settles when one that is on its way into the store is there, or never will be. */
  async settled(requestId: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting = this.#opening.get(requestId);
      if (waiting) waiting.push(resolve);
      else resolve();
    });
  }

  add(permission: PermissionRequest): void {
    this.#open.set(permission.requestId, permission);
    this.#count(permission.requestId, bytesOf(permission.request));
  }

  /** False when it was not there. */
  delete(requestId: string): boolean {
    if (!this.#opening.has(requestId)) this.#count(requestId, 0);
    return this.#open.delete(requestId);
  }

  #count(requestId: string, bytes: number): void {
    this.#sum += bytes - (this.#bytes.get(requestId) ?? 0);
    if (bytes === 0) this.#bytes.delete(requestId);
    else this.#bytes.set(requestId, bytes);
    this.#budget.set(this.#session, this.#sum);
  }
}

function bytesOf(request: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(request));
}
