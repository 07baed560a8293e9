import {
  type NewPrompt,
  type PromptEdit,
  PromptIdTakenError,
  PromptNotWaitingError,
  placeBefore,
  RecordNotFoundError,
  StoreLimitError,
} from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import type { Prompt, PromptDelivery } from '@signalbox/protocol/hub';
import { inOrder, type Tables } from './tables.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Prompts of people. */
export class MemoryInbox {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  admit({ session, clientId, author, content, delivery }: NewPrompt): Prompt {
    const sent = JSON.stringify([author, content]);
    for (const { value } of this.#tables.prompts.values()) {
      if (value.prompt.session !== session || value.prompt.clientId !== clientId) continue;
      if (value.sent !== sent) throw new PromptIdTakenError(clientId);
      return value.prompt;
    }
    this.#tables.session(session);
    const waiting = this.list(session);
    if (waiting.length >= LIMITS.waitingPrompts.most)
      throw new StoreLimitError('too many prompts wait already');
    assertRoom(waiting, bytesOf(content));
    const isFree = UUID.test(clientId) && !this.#tables.prompts.has(clientId);
    const id = isFree ? clientId : crypto.randomUUID();
    const admittedAt = Date.now();
    const places = [...this.#tables.prompts.values()].map(({ value }) => value.prompt.place);
    const place = Math.floor(Math.max(0, ...places)) + 1;
    const state = 'waiting';
    const prompt: Prompt = { id, session, clientId, author, content, delivery, state, admittedAt, place };
    this.#tables.put(this.#tables.prompts, id, { prompt, sent });
    return prompt;
  }

  list(session: string): Prompt[] {
    return inOrder(this.#tables.prompts)
      .map(({ value }) => value.prompt)
      .filter((prompt) => prompt.session === session && ['waiting', 'taken'].includes(prompt.state))
      .toSorted((one, other) => one.place - other.place);
  }

  pendingBytes(session: string): number {
    return this.list(session).reduce((sum, { content }) => sum + bytesOf(content), 0);
  }

  get(id: string): Prompt | undefined {
    return this.#tables.prompts.get(id)?.value.prompt;
  }

  sessionOf(id: string): string | undefined {
    return this.get(id)?.session;
  }

  edit(id: string, { before: next, ...change }: PromptEdit): Prompt {
    const before = this.#find(id);
    const after = { ...before, ...change };
    if (before.state !== 'waiting') throw new PromptNotWaitingError(before.state);
    const growth = bytesOf(after.content) - bytesOf(before.content);
    if (growth > 0) assertRoom(this.list(before.session), growth);
    const place = next === undefined ? before.place : placeBefore(this.list(before.session), before, next);
    return this.#put({ ...after, place });
  }

  cancel(id: string): Prompt {
    const prompt = this.#find(id);
    if (prompt.state !== 'waiting' && prompt.state !== 'cancelled')
      throw new PromptNotWaitingError(prompt.state);
    return this.#put({ ...prompt, state: 'cancelled' });
  }

  take(session: string, delivery?: PromptDelivery): Prompt | undefined {
    const next = this.list(session).find((prompt) => delivery === undefined || prompt.delivery === delivery);
    return next && this.#put({ ...next, state: 'taken' });
  }

  markDelivered(id: string): boolean {
    const prompt = this.#find(id);
    if (prompt.state === 'cancelled') throw new PromptNotWaitingError(prompt.state);
    this.#put({ ...prompt, state: 'delivered' });
    return prompt.state !== 'delivered';
  }

  #find(id: string): Prompt {
    const prompt = this.get(id);
    if (!prompt) throw new RecordNotFoundError(`prompt ${id}`);
    return prompt;
  }

  #put(prompt: Prompt): Prompt {
    const sent = this.#tables.prompts.get(prompt.id)?.value.sent ?? '';
    return this.#tables.put(this.#tables.prompts, prompt.id, { prompt, sent }).prompt;
  }
}

/** Raises `STORE_LIMIT` for one that is too long. */
function bytesOf(content: Prompt['content']): number {
  const text = JSON.stringify(content);
  if (text.length > LIMITS.promptBytes.most) throw new StoreLimitError('A prompt is too long');
  return Buffer.byteLength(text);
}

function assertRoom(waiting: readonly Prompt[], growth: number): void {
  const bytes = waiting.reduce((sum, { content }) => sum + bytesOf(content), growth);
  if (bytes > LIMITS.waitingPromptBytes.most)
    throw new StoreLimitError('too many bytes of prompts wait already');
}
