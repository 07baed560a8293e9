import * as z from 'zod';
import { LOOP_ACTIONS } from '../../loop/loop.ts';
import { ALL_SESSIONS } from '../all-sessions.ts';
import { controlRequest } from './control.ts';
import { personAnswer } from './permission.ts';
import { clientId, content, delivery } from './prompt.ts';
import { sessionId } from './values.ts';

const seq = z.number().int().min(0);
const id = z.string().min(1).max(200);
const oneOrAll = z.union([sessionId, z.literal(ALL_SESSIONS)]);

export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    id,
    session: oneOrAll,
    cursor: z
      .union([
        z.strictObject({ seq, check: z.number().int().min(0) }),
        z.strictObject({ epoch: z.string(), seq }).describe('of an earlier version: answered with a reset'),
        z.strictObject({ uuid: z.string().min(1).max(200) }),
      ])
      .exactOptional(),
    tail: z.number().int().min(1).max(10_000).exactOptional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), id, session: oneOrAll }),
  z.strictObject({
    type: z.literal('user-message'),
    id: clientId,
    session: sessionId,
    content,
    delivery: delivery.default('queue'),
  }),
  z.strictObject({ type: z.literal('cancel'), id, session: sessionId }),
  z.strictObject({
    type: z.literal('answer'),
    id,
    session: sessionId,
    request: z.string(),
    answer: personAnswer,
  }),
  z.strictObject({ type: z.literal('control'), id, session: sessionId, request: controlRequest }),
  z.strictObject({ type: z.literal('watch-changes'), id, session: sessionId }),
  z.strictObject({ type: z.literal('unwatch-changes'), id, session: sessionId }),
  z
    .strictObject({ type: z.literal('look'), id, isLooking: z.boolean() })
    .describe('whether anybody looks at what this connection watches: while nobody does, notices are sent'),
  z.strictObject({ type: z.literal('loop'), id, loop: sessionId, act: z.enum(LOOP_ACTIONS) }),
]);

/** What a viewer may say on a hub's stream. Each carries an id of its own, which the answer names. */
export type ClientMessage = z.input<typeof clientMessage>;

/** One that was checked. */
export type CheckedMessage = z.output<typeof clientMessage>;
