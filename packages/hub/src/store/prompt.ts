import type { PromptMessage } from '@signalbox/protocol';
import type { Author } from './author.ts';

/** How many prompts of a session may wait, and how long one may be as JSON. */
export const MAX_WAITING_PROMPTS = 1000;
export const MAX_PROMPT_BYTES = 32 * 1024 * 1024;

/** What a person wrote: text, or blocks with images. */
export type PromptContent = PromptMessage['message']['content'];

/** `queue` waits for its turn; `steer` goes into the turn that runs. */
export type PromptDelivery = 'queue' | 'steer';

/**
 * `waiting` can be changed; `taken` is on its way to the agent and may be sent again with its uuid;
 * `delivered` has arrived.
 */
export type PromptState = 'waiting' | 'taken' | 'delivered' | 'cancelled';

/** A prompt that was admitted. */
export interface Prompt {
  /** Also the uuid of the message to the agent, so that a repeat is harmless. */
  id: string;
  session: string;
  /** Chosen by whoever sent it; the same one names the same prompt. */
  clientId: string;
  author: Author;
  content: PromptContent;
  delivery: PromptDelivery;
  state: PromptState;
  admittedAt: number;
}

/** What it takes to admit a prompt. */
export type NewPrompt = Pick<Prompt, 'session' | 'clientId' | 'author' | 'content' | 'delivery'>;

/** Prompts of people, each session's in the order of admission. */
export interface Inbox {
  /** Admitted again with the same client id, a prompt stays what it is. */
  admit(prompt: NewPrompt): Promise<Prompt>;
  /** What is neither delivered nor cancelled. */
  list(session: string): Promise<Prompt[]>;
  get(id: string): Promise<Prompt | undefined>;
  /** Raises `PROMPT_NOT_WAITING` when it is too late. */
  edit(id: string, change: Partial<Pick<Prompt, 'content' | 'delivery'>>): Promise<Prompt>;
  /** Raises `PROMPT_NOT_WAITING` when it is too late; cancelled again, it stays cancelled. */
  cancel(id: string): Promise<Prompt>;
  /** The next prompt to deliver; the same one again until it is marked. With `delivery`, only one of that kind. */
  take(session: string, delivery?: PromptDelivery): Promise<Prompt | undefined>;
  /** Says whether this call was the one that marked it. */
  markDelivered(id: string): Promise<boolean>;
}
