import * as z from 'zod';
import { time } from './values.ts';

const milliseconds = z.number().min(0);

export const hubNodes = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        machine: z.string().describe('the name of its machine'),
        version: z.string(),
        startedAt: time,
        seenMsAgo: milliseconds.describe('when it was last heard of'),
        leads: z.boolean(),
      }),
    )
    .describe('those that were heard of within a day'),
  lead: z
    .object({
      since: time,
      renewedMsAgo: milliseconds.describe('the age of its lease'),
    })
    .nullable(),
  database: z
    .object({
      connections: z.number().int().describe('of all hubs'),
      partitions: z
        .array(z.object({ week: time.describe('when it begins'), bytes: z.number().int() }))
        .describe('what was said in each week, the newest first'),
    })
    .nullable(),
});

export type HubNodes = z.infer<typeof hubNodes>;
