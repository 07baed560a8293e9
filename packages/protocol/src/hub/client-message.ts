import type { ControlRequestBody } from '../control/control-types.ts';
import type { PersonAnswer } from './permission.ts';
import type { PromptContent, PromptDelivery } from './prompt.ts';
import type { Cursor, MessageCursor } from './stream-message.ts';

/** Stands for all sessions: what changes about each, and not what is said in them. */
export const ALL_SESSIONS = '*';

/** What a viewer may say on a hub's stream. Each carries an id of its own, which the answer names. */
export type ClientMessage =
  | { type: 'subscribe'; id: string; session: string; cursor?: Cursor | MessageCursor; tail?: number }
  | { type: 'unsubscribe'; id: string; session: string }
  | { type: 'user-message'; id: string; session: string; content: PromptContent; delivery?: PromptDelivery }
  | { type: 'cancel'; id: string; session: string }
  | { type: 'answer'; id: string; session: string; request: string; answer: PersonAnswer }
  | { type: 'control'; id: string; session: string; request: ControlRequestBody };
