import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { author } from './author.ts';
import { folderPath } from './trust.ts';
import { sessionId, time } from './values.ts';

const text = z
  .string()
  .min(1)
  .max(LIMITS.ruleLength.most)
  .describe("a rule in the agents' own syntax: `Tool` or `Tool(content)`, for example `Bash(npm test:*)`");

const behavior = z
  .enum(['allow', 'deny', 'ask'])
  .describe('deny beats ask beats allow, whatever rule is narrower');

export const hubRule = z.object({
  id: z.string(),
  rule: text,
  behavior,
  folder: z.string().nullable().describe('only for sessions in this folder or below; null for all'),
  session: sessionId.nullable().describe('only for this session, with which it goes; null for all'),
  author,
  createdAt: time,
  isStored: z.boolean().describe('false for a rule of the command line, which ends with the hub'),
});

const scope = {
  folder: folderPath.exactOptional().describe('only for sessions that the hub launched there or below'),
  session: sessionId.exactOptional().describe('only for this session'),
};

export const newRule = z.strictObject({ rule: text, behavior, ...scope });

const pastCall = z.object({
  session: sessionId,
  requestId: z.string(),
  toolName: z.string(),
  text: z.string().describe('what it is about: the start of its command, its path or its address'),
  openedAt: time,
  outcome: z
    .enum(['allowed', 'denied', 'changed', 'unanswered'])
    .describe('changed: allowed with another input; unanswered: still open, withdrawn or expired'),
  author: author.nullable().describe('who answered'),
});

const counts = z.object({
  allowed: z.number(),
  denied: z.number(),
  changed: z.number(),
  unanswered: z.number(),
});

export const backtest = z.object({
  rule: text,
  behavior,
  words: z.string().describe('what it comes to, in one sentence'),
  all: counts.describe('every tool call that agents have asked about'),
  matched: counts.describe('those of them that the rule decides'),
  against: z.array(pastCall).describe('what it would have decided otherwise than was answered, newest first'),
  calls: z.array(pastCall).describe('what it would have decided, newest first'),
  isCut: z.boolean().describe('there are more than are listed'),
});

export const ruleSuggestion = z.object({
  rule: text,
  behavior,
  folder: z.string().nullable(),
  session: sessionId.nullable(),
  allowed: z.number().describe('how many calls that people have allowed it covers'),
  denied: z.number().describe('how many calls that people have denied it covers'),
  sessions: z.number().describe('in how many sessions'),
  words: z.string().describe('why it is proposed'),
});

/** A rule that the hub decides by before people are asked. */
export type HubRule = z.infer<typeof hubRule>;

/** A rule on its way into the hub. */
export type NewRule = z.infer<typeof newRule>;

/** A tool call that an agent has asked about, and what came of it. */
export type PastCall = z.infer<typeof pastCall>;

/** What a rule would have done to all that was asked so far. */
export type Backtest = z.infer<typeof backtest>;

/** A rule that follows from what people have answered. */
export type RuleSuggestion = z.infer<typeof ruleSuggestion>;
