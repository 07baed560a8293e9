import * as z from 'zod';
import { MOST_TOKENS, MOST_USD } from '../spend-groups.ts';
import { author } from './author.ts';
import { folderPath } from './trust.ts';
import { sessionId, time } from './values.ts';

const usd = z
  .number('a budget in dollars is a number')
  .positive('a budget is more than 0: remove it, or stop the session')
  .max(MOST_USD);

const tokens = z
  .int('a budget in tokens is a whole number')
  .positive('a budget is more than 0: remove it, or stop the session')
  .max(MOST_TOKENS)
  .describe('input, output and what is written to the cache; what is read from it does not count');

const per = z.enum(['day', 'total']).describe("a day of the hub's own clock, or all that was ever spent");

const spent = z.object({ usd: z.number(), tokens: z.number() });

export const budget = z.object({
  id: z.string(),
  session: sessionId.nullable().describe('only for this session, with which it goes'),
  folder: z.string().nullable().describe('only for sessions in this folder or below'),
  per,
  usd: usd.nullable(),
  tokens: tokens.nullable(),
  author,
  createdAt: time,
  spent: spent.describe('of the day that is, or in total'),
  state: z
    .enum(['open', 'near', 'reached'])
    .describe('near: four fifths are spent; reached: turns are stopped'),
});

export const newBudget = z
  .strictObject({
    session: sessionId.exactOptional(),
    folder: folderPath.exactOptional(),
    per: per.exactOptional().describe('total for a session, else day, unless given'),
    usd: usd.exactOptional(),
    tokens: tokens.exactOptional(),
  })
  .refine((one) => one.usd !== undefined || one.tokens !== undefined, 'a budget has usd, tokens or both')
  .refine(
    (one) => one.session === undefined || one.folder === undefined,
    'a budget is for a session or for a folder, and not for both',
  )
  .refine(
    (one) => one.session === undefined || one.per !== 'day',
    'a budget of a session is for all of it: per day is for a folder or the whole hub',
  );

export const budgetChange = z
  .strictObject({
    usd: usd.nullable().exactOptional().describe('null takes the limit away'),
    tokens: tokens.nullable().exactOptional().describe('null takes the limit away'),
  })
  .refine((one) => one.usd !== undefined || one.tokens !== undefined, 'say usd, tokens or both');

/** A limit of what agents may spend. */
export type Budget = z.infer<typeof budget>;

/** A budget on its way into the hub. */
export type NewBudget = z.infer<typeof newBudget>;

/** What can be changed of a budget. */
export type BudgetChange = z.infer<typeof budgetChange>;
