import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { LOOP_ENDS, LOOP_STATES, LOOP_STEPS } from '../../loop/loop.ts';
import { author } from './author.ts';
import { launchSpec } from './launch.ts';
import { sessionId, time, words } from './values.ts';

const prompt = z
  .string()
  .refine((text) => text.trim() !== '', 'a prompt has words')
  .refine(
    (text) => new TextEncoder().encode(text).length <= LIMITS.loopPromptBytes.most,
    `up to ${LIMITS.loopPromptBytes.most} bytes`,
  );

const promptFile = z
  .string()
  .max(4096)
  .regex(/^\//, 'the whole path of a file')
  .describe("a file of the hub's machine, read anew for each iteration; takes the scope admin");

const maxIterations = z.number().int().min(1).max(LIMITS.loopIterations.most);

const untilText = z.string().min(1).max(1000).describe('done when the last words of an iteration contain it');

const untilCommand = z
  .string()
  .min(1)
  .max(10_000)
  .describe('done when it exits with 0 after an iteration, in the folder; takes the scope admin');

const untilSeconds = z.number().int().min(1).max(LIMITS.loopConditionSeconds.most);

const budgetUsd = z.number().positive().max(1_000_000);

const allowAll = z.boolean().describe('tool calls are allowed in the name of whoever began the loop');

/**
 * Everybody may see what a loop starts, so it has no command and no variables of its own; a profile has a name and keeps its values. A
 * loop has no restart policy either: its next iteration is one.
 */
const loopLaunch = z.strictObject({
  agent: launchSpec.shape.agent.refine((name) => name !== 'custom', 'a loop runs no custom command'),
  folder: launchSpec.shape.folder,
  model: launchSpec.shape.model,
  mode: launchSpec.shape.mode,
  tools: launchSpec.shape.tools,
  allowedTools: launchSpec.shape.allowedTools,
  disallowedTools: launchSpec.shape.disallowedTools,
  profile: launchSpec.shape.profile,
});

export const newLoop = z
  .strictObject({
    id: sessionId.exactOptional(),
    title: words.exactOptional(),
    prompt: prompt.exactOptional(),
    promptFile: promptFile.exactOptional(),
    launch: loopLaunch,
    keepSession: z.boolean().exactOptional().describe('one agent and one conversation for all iterations'),
    maxIterations: maxIterations.exactOptional().describe('10 unless given'),
    untilText: untilText.exactOptional(),
    untilCommand: untilCommand.exactOptional(),
    untilSeconds: untilSeconds.exactOptional().describe('how long the command may take; 600 unless given'),
    budgetUsd: budgetUsd.exactOptional(),
    pauseOnFailure: z.boolean().exactOptional(),
    allowAll: allowAll.exactOptional(),
  })
  .refine(
    (loop) => (loop.prompt === undefined) !== (loop.promptFile === undefined),
    'a loop has a prompt or a promptFile, and not both',
  );

export const loopChange = z
  .strictObject({
    version: z.number().int().exactOptional().describe('refused when the loop is at another version by now'),
    title: words.exactOptional(),
    prompt: prompt.exactOptional(),
    promptFile: promptFile.exactOptional(),
    maxIterations: maxIterations.exactOptional(),
    untilText: untilText.nullable().exactOptional(),
    untilCommand: untilCommand.nullable().exactOptional(),
    untilSeconds: untilSeconds.exactOptional(),
    budgetUsd: budgetUsd.nullable().exactOptional(),
    pauseOnFailure: z.boolean().exactOptional(),
    allowAll: allowAll.exactOptional(),
  })
  .refine(
    (loop) => loop.prompt === undefined || loop.promptFile === undefined,
    'a loop has a prompt or a promptFile, and not both',
  );

const loopSpec = z.object({
  title: z.string(),
  prompt: z.string().nullable(),
  promptFile: z.string().nullable(),
  launch: loopLaunch,
  keepSession: z.boolean(),
  allowAll: z.boolean(),
  maxIterations: z.number(),
  untilText: z.string().exactOptional(),
  untilCommand: z.string().exactOptional(),
  untilSeconds: z.number().exactOptional(),
  budgetUsd: z.number().exactOptional(),
  pauseOnFailure: z.boolean().exactOptional(),
});

const folderChanges = z
  .object({ commits: z.number(), files: z.number(), insertions: z.number(), deletions: z.number() })
  .nullable()
  .describe('what changed in git; null where there is no repository');

export const loopIteration = z.object({
  number: z.number(),
  session: sessionId,
  step: z.enum(LOOP_STEPS),
  startedAt: time,
  endedAt: time.nullable(),
  how: z.enum(['well', 'failed', 'interrupted']).nullable(),
  text: z.string().describe("the end of the agent's last words, or what went wrong"),
  turns: z.number(),
  costUsd: z.number(),
  check: z.enum(['met', 'unmet', 'failed']).nullable(),
  changes: folderChanges,
});

export const loop = z.object({
  id: sessionId,
  spec: loopSpec,
  author,
  version: z.number().describe('counts changes: the higher, the newer'),
  state: z.enum(LOOP_STATES),
  step: z.enum(LOOP_STEPS),
  iteration: z.number().describe('the number of the newest iteration; 0 before the first one'),
  failuresInRow: z.number(),
  turns: z.number(),
  costUsd: z.number(),
  end: z.enum(LOOP_ENDS).nullable(),
  reason: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('why it is paused or has ended'),
  current: loopIteration.nullable().describe('the newest iteration'),
  changes: folderChanges,
  createdAt: time,
  updatedAt: time,
});

/** The agent that a loop starts. */
export type LoopLaunch = z.infer<typeof loopLaunch>;

/** What a loop does again and again, and until when. */
export type LoopSpec = z.infer<typeof loopSpec>;

/** A loop that is to begin; what is not said is as `signalbox loop` has it. */
export type NewLoop = z.infer<typeof newLoop>;

/** What can be changed of a loop that has not ended; null takes a condition or a budget away. */
export type LoopChange = z.infer<typeof loopChange>;

/** A loop of a hub. */
export type Loop = z.infer<typeof loop>;
