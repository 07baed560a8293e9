import type { PromptMessage } from '../schema/user-message.ts';
import type { Author } from './author.ts';

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
