import * as z from 'zod';
import { MAX_WINDOW_ENTRIES } from '../page-limits.ts';
import { author } from './author.ts';
import { count, sessionId, time } from './values.ts';

const entry = z.looseObject({
  type: z.literal('sdk-message'),
  session: sessionId,
  seq: z.number(),
  check: z.number().describe('with seq the cursor on this entry'),
  time: time.exactOptional(),
  author: author.exactOptional().describe('not there when the agent said it'),
  message: z.unknown().exactOptional().describe('as it was written'),
  raw: z.string().exactOptional().describe('a line that is not JSON'),
  damaged: z.literal(true).exactOptional().describe('it is not what was written any more'),
});

export const eventWindow = z.object({
  last: z.number(),
  trimmed: z
    .number()
    .exactOptional()
    .describe('the number of the last entry that was taken away by retention'),
  entries: z.array(entry),
});

export const windowQuery = z
  .object({
    from: count().exactOptional(),
    before: count().exactOptional(),
    after_uuid: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe('what follows the message with this uuid'),
    limit: count(MAX_WINDOW_ENTRIES).exactOptional(),
  })
  .refine(
    ({ from, before, after_uuid: uuid }) =>
      [from, before, uuid].filter((bound) => bound !== undefined).length < 2,
    'a window has one bound: from, before or after_uuid',
  );
