import * as z from 'zod';
import { sessionId } from './values.ts';

const position = z.number().int().describe('the place of an update among those of all sessions');

const sessionUpdate = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('updated'),
    position,
    session: sessionId,
    last: z.number().int().describe('the number of its newest entry'),
  }),
  z.object({ kind: z.literal('removed'), position, session: sessionId }),
]);

export const updatePage = z.object({
  state: z
    .enum(['updates', 'reset'])
    .describe(
      'reset: the position is ahead of this store, which is another one; begin again without `after`',
    ),
  items: z.array(sessionUpdate).describe('oldest first, each session once, with its latest update'),
  position: position.describe('where to go on'),
  isComplete: z.boolean().describe('nothing has changed after `position`'),
});

/** Something was said in a session, or its facts are others; or it is no more. */
export type SessionUpdate = z.infer<typeof sessionUpdate>;

/** What has changed after a position, oldest first: each session once, with its latest update. */
export type UpdatePage = z.infer<typeof updatePage>;
