import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { MAX_SEARCH_HITS } from '../page-limits.ts';
import { author } from './author.ts';
import { count, sessionId, time } from './values.ts';

const moment = z.coerce.number<number>().int().min(0).exactOptional();

export const searchQuery = z.object({
  words: z
    .string()
    .min(1)
    .max(LIMITS.searchWordsLength.most)
    .describe(
      'all of them must occur; "words in quotes" follow each other, and wor* stands for every word that begins so',
    ),
  session: sessionId.exactOptional(),
  folder: z.string().min(1).max(4096).exactOptional().describe('sessions in this folder, or below it'),
  tool: z.string().min(1).max(200).exactOptional().describe('calls of this tool, and their results'),
  person: z.string().min(1).max(200).exactOptional().describe('what the person of this name said'),
  since: moment.describe('milliseconds since 1970'),
  until: moment.describe('milliseconds since 1970; what was said then is not in it'),
  after: z.string().exactOptional().describe('the `next` of the page before'),
  limit: count(MAX_SEARCH_HITS).exactOptional(),
});

const excerpt = z
  .array(z.object({ text: z.string(), isMatch: z.boolean() }))
  .describe('the words that were found, and what stands around them');

const searchHit = z.object({
  session: sessionId,
  seq: z.number().int().describe('the number of its entry in the record of the session'),
  time,
  author,
  kind: z
    .enum(['said', 'call', 'result'])
    .describe('words of a person or an agent, the call of a tool, or its result'),
  tool: z.string().nullable().describe('the name of the tool, where it is known'),
  excerpt,
});

export const searchPage = z.object({
  items: z
    .array(
      searchHit.extend({
        title: z.string().nullable().describe('of the session'),
        folder: z.string().nullable().describe('of the session'),
      }),
    )
    .describe('newest first'),
  next: z.string().exactOptional(),
  isComplete: z.boolean().describe('false while the index is being made: there may be more than was found'),
});

const outlinePart = z.object({
  seq: z.number().int().describe('the entry that its first turn begins with'),
  time,
  turns: z.number().int().describe('how many there are up to the next part'),
  words: z.string().describe('the beginning of the prompt of its first turn'),
});

export const recordOutline = z.object({
  items: z
    .array(outlinePart)
    .max(LIMITS.outlineParts.most)
    .describe('in the order of the record; where there are more turns than that, several are one part'),
  isComplete: z.boolean().describe('false while the index is being made: the newest turns may be missing'),
});

/** What is looked for, and where. */
export type SearchQuery = z.output<typeof searchQuery>;

/** The words of an entry that were found, and what stands around them. */
export type Excerpt = z.infer<typeof excerpt>;

/** A place of a record at which something was found. */
export type SearchHit = z.infer<typeof searchHit>;

/** Turns of a record that follow each other, by the prompt of the first of them. */
export type OutlinePart = z.infer<typeof outlinePart>;

/** The turns of a record. */
export type RecordOutline = z.infer<typeof recordOutline>;

/** What was found, with the sessions that it was found in. */
export type SearchPage = z.infer<typeof searchPage>;
