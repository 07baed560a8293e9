import type { Prompt, PromptDelivery } from '@signalbox/protocol/hub';

/** What it takes to admit a prompt. */
export type NewPrompt = Pick<Prompt, 'session' | 'clientId' | 'author' | 'content' | 'delivery'>;

/** What of a prompt that waits may be changed. */
export interface PromptEdit extends Partial<Pick<Prompt, 'author' | 'content' | 'delivery'>> {
  /** It goes before this one of the prompts that wait; null: behind all of them. */
  before?: string | null;
}

/** Prompts of people, each session's in the order of admission, unless one is moved. */
export interface Inbox {
  /**
   * Sent again as it was first, a prompt stays what it is. Raises `PROMPT_ID_TAKEN` when its client id came with other
   * content, or from another author.
   */
  admit(prompt: NewPrompt): Promise<Prompt>;
  /** What is neither delivered nor cancelled. */
  list(session: string): Promise<Prompt[]>;
  /** How long the contents of those are together. */
  pendingBytes(session: string): Promise<number>;
  get(id: string): Promise<Prompt | undefined>;
  /** The session of a prompt, without what the prompt says, which may be long. */
  sessionOf(id: string): Promise<string | undefined>;
  /** Raises `PROMPT_NOT_WAITING` when it is too late, and `STORE_NOT_FOUND` when the one that it is to go before does not wait. */
  edit(id: string, change: PromptEdit): Promise<Prompt>;
  /** Raises `PROMPT_NOT_WAITING` when it is too late; cancelled again, it stays cancelled. */
  cancel(id: string): Promise<Prompt>;
  /** The next prompt to deliver; the same one again until it is marked. With `delivery`, only one of that kind. */
  take(session: string, delivery?: PromptDelivery): Promise<Prompt | undefined>;
  /** Says whether this call was the one that marked it. */
  markDelivered(id: string): Promise<boolean>;
}
