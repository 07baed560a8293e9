import * as z from 'zod';
import { SPEND_GROUPS } from '../spend-groups.ts';

const sums = {
  usd: z.number().describe('as agents say; 0 for a model that nobody pays for, or whose price is not known'),
  input: z.number(),
  output: z.number(),
  cacheWrite: z.number(),
  cacheRead: z.number(),
  turns: z.number(),
};

const spendRow = z.object({
  key: z
    .string()
    .nullable()
    .describe('the day (2026-11-18), model, folder, person or session; null where nobody knows'),
  title: z.string().nullable().describe('what a session is called, as long as it is there'),
  ...sums,
});

export const spendReport = z.object({
  by: z.enum(SPEND_GROUPS),
  items: z.array(spendRow).describe('days in their order, all else by what was spent, the most first'),
  total: z.object(sums),
  isCut: z.boolean().describe('there are more than are listed; the total has them all'),
});

/** What was spent, by one of its sides. */
export type SpendReport = z.infer<typeof spendReport>;

/** What spend is summed up by. */
export type SpendGroup = SpendReport['by'];
