import * as z from 'zod';
import { STATE_WORDS } from '../../words/state-words.ts';
import { SESSION_STATES } from '../session-state.ts';
import { sessionLoop } from './session-loop.ts';
import { sessionId, time, words } from './values.ts';

const sessionExit = z.object({
  code: z.number().nullable(),
  signal: z.string().nullable(),
  stderr: z.string().describe('the last that it wrote to stderr'),
});

const sessionProblem = z.object({
  code: z.enum(['no_credentials', 'turn_failed']),
  message: z.string().describe("in the agent's own words"),
});

const sessionBudget = z.object({
  id: z.string(),
  state: z.enum(['near', 'reached']).describe('reached: prompts wait, and a turn is stopped after its reply'),
  message: z.string().describe('which budget, how much of it is spent, and how to go on'),
});

const sessionRestart = z.object({
  policy: z.enum(['on-failure', 'always']),
  most: z.number().describe('how often in a row'),
  count: z.number().describe('how often in a row it was, or is about to be'),
  state: z
    .enum(['watching', 'waiting', 'given-up', 'over'])
    .describe(
      'waiting: it is started at `nextAt`; given-up: it was too often; over: somebody ended it, or it ended well',
    ),
  why: z.string().nullable().describe('how its agent ended last, with its last words'),
  nextAt: time.nullable(),
  startedAt: time.nullable(),
});

const sessionGit = z.object({
  branch: z.string().nullable().describe('null: HEAD is on no branch'),
  ahead: z
    .number()
    .describe(
      'commits that its upstream lacks; without one, those since its worktree was made from its base',
    ),
  behind: z.number(),
  changed: z.number().describe('files that are changed and not committed, untracked ones included'),
});

const sessionView = z
  .enum(['sdk', 'to-terminal', 'terminal', 'to-sdk', 'terminal-only'])
  .describe(
    'where its conversation goes on: over the SDK (messages and prompts), or in a terminal with the screen of the agent itself; to-…: on its way, once its turn has ended; terminal-only: its agent has nothing but its own screen',
  );

const sessionFacts = z.object({
  state: z
    .enum(SESSION_STATES)
    .describe(SESSION_STATES.map((name) => `${name}: ${STATE_WORDS[name].word}`).join('; ')),
  title: z.string().nullable(),
  folder: z.string().nullable(),
  agent: z.string().nullable().describe('which agent it runs, for example `claude` or `signalbox-agent`'),
  model: z.string().nullable(),
  mode: z.string().nullable(),
  exit: sessionExit.nullable(),
  problem: sessionProblem.nullable().describe('why the last turn of its agent did no work'),
  lastPrompt: z.string().nullable().describe('the start of what somebody last said to it, in one line'),
  agentSession: z.string().nullable().describe("the agent's own id of the conversation, to resume it by"),
  isLaunched: z
    .boolean()
    .describe('the hub runs its agent, and starts it again when it has ended and is given a prompt'),
  view: sessionView,
  git: sessionGit
    .nullable()
    .describe(
      'how the repository of its folder stands, as it was last looked at; null where there is none, or nobody looked',
    ),
  restart: sessionRestart
    .nullable()
    .describe('whether its agent is started again when it ends; null where nobody asked for that'),
  archivedAt: time
    .nullable()
    .describe('when somebody put it away; null again as soon as it works, asks or is prompted'),
  budget: sessionBudget.nullable().describe('the budget that it is near, or has reached'),
  loop: sessionLoop.nullable().describe('the loop that runs it, and which of its iterations it is'),
});

export const session = sessionFacts.extend({
  id: sessionId,
  createdAt: time,
  updatedAt: time,
  unread: z
    .literal(true)
    .exactOptional()
    .describe('what is stored of it is damaged: only its id, its state and its times are known'),
});

export const sessionPlace = z.strictObject({
  id: sessionId.exactOptional(),
  title: words.exactOptional(),
  folder: words.exactOptional(),
  agent: words.exactOptional(),
  model: words.exactOptional(),
  mode: words.exactOptional(),
});

export const viewer = z.object({ person: z.string(), device: z.string(), deviceId: z.string() });

/** How an agent ended. */
export type SessionExit = z.infer<typeof sessionExit>;

/** Why an agent's last turn did no work: for want of a key for its model, or for another reason. */
export type SessionProblem = z.infer<typeof sessionProblem>;

/** Whether an agent is started again when it ends, and how that went. */
export type SessionRestart = z.infer<typeof sessionRestart>;

/** The budget that a session is near, or has reached. */
export type SessionBudget = z.infer<typeof sessionBudget>;

/** How the repository of a session's folder stands. */
export type SessionGit = z.infer<typeof sessionGit>;

/** Where the conversation of a session goes on. */
export type SessionView = z.infer<typeof sessionView>;

/** What is known about a session and may change; null is what nobody said yet. */
export type SessionFacts = z.infer<typeof sessionFacts>;

/** A session of a hub. */
export type Session = z.infer<typeof session>;

/** Somebody who watches a session. */
export type SessionViewer = z.infer<typeof viewer>;
