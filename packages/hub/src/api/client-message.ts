import { ALL_SESSIONS } from '@signalbox/protocol/hub';
import * as z from 'zod';
import { personAnswer } from '../asks/person-answer.ts';
import * as schema from './schemas.ts';

const id = z.string().min(1).max(200);

/** What a viewer may say on /api/stream. Each carries an id of its own, which the answer names. */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    id,
    session: z.union([schema.sessionId, z.literal(ALL_SESSIONS)]),
    cursor: z
      .union([
        z.strictObject({ epoch: z.string(), seq: z.number().int().min(0) }),
        z.strictObject({ uuid: z.string().min(1).max(200) }),
      ])
      .exactOptional(),
    tail: z.number().int().min(1).max(10_000).exactOptional(),
  }),
  z.strictObject({
    type: z.literal('unsubscribe'),
    id,
    session: z.union([schema.sessionId, z.literal(ALL_SESSIONS)]),
  }),
  z.strictObject({
    type: z.literal('user-message'),
    id: schema.clientId,
    session: schema.sessionId,
    content: schema.content,
    delivery: schema.delivery.default('queue'),
  }),
  z.strictObject({ type: z.literal('cancel'), id, session: schema.sessionId }),
  z.strictObject({
    type: z.literal('answer'),
    id,
    session: schema.sessionId,
    request: z.string(),
    answer: personAnswer,
  }),
  z.strictObject({
    type: z.literal('control'),
    id,
    session: schema.sessionId,
    request: schema.controlRequest,
  }),
]);

/** One that was checked. */
export type CheckedMessage = z.output<typeof clientMessage>;
