import * as z from 'zod';
import { folderPath } from './trust.ts';
import { sessionId, time } from './values.ts';

/** Begins with a letter or a digit: it is a name of a folder and a part of a branch's. */
export const WORKTREE_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;

const slug = z.string().regex(WORKTREE_SLUG).describe('small letters, digits and "-"');

export const newWorktree = z.strictObject({
  slug: slug.exactOptional().describe('its name, which must be free; made of `named` unless given'),
  named: z
    .string()
    .min(1)
    .max(1000)
    .exactOptional()
    .describe('words to make a name of; the title, the prompt or the id of the session unless given'),
  base: z
    .string()
    .min(1)
    .max(1000)
    .regex(/^[^-]/)
    .exactOptional()
    .describe('the branch, tag or commit that it begins at; what the folder has checked out unless given'),
  setup: z
    .enum(['run', 'skip'])
    .exactOptional()
    .describe("skip: the repository's set-up is not run, and nothing is copied"),
});

export const worktreeSetup = z.object({
  text: z.string().describe('the exact text of .signalbox/worktree.json, which is what is trusted'),
  command: z.string().nullable().describe('what is run in a new worktree'),
  copy: z.array(z.string()).describe('patterns of ignored files that are copied into it'),
  isTrusted: z.boolean(),
});

export const repository = z.object({
  root: z.string().describe('the top of its main working tree'),
  branch: z.string().nullable().describe('what the folder has checked out'),
  branches: z.array(z.string()).describe('where a worktree may begin, the newest first'),
  underWay: z.string().nullable().describe('what is being done in it, such as a rebase'),
  setup: worktreeSetup.nullable(),
});

export const setupState = z
  .enum(['none', 'waiting', 'running', 'done', 'failed', 'skipped'])
  .describe(
    'of the set-up command of a worktree; a waiting or failed one runs at the next start of the agent',
  );

export const worktree = z.object({
  repository: z.string().describe('the name of its folder in $SIGNALBOX_HOME/worktrees'),
  slug: z.string(),
  root: z.string().nullable().describe('the repository that it belongs to'),
  folder: z.string(),
  branch: z.string().nullable(),
  session: sessionId.nullable().describe('the session that works in it; null when that is no more'),
  createdAt: time.nullable(),
  setup: setupState,
  isOurs: z.boolean().describe('it is proven that this hub has made it'),
  keeps: z.array(z.string()).describe('why a sweep leaves it, in words; nothing when it goes'),
});

export const leftWorktree = z.object({
  folder: z.string(),
  branch: z.string().nullable(),
  isRemoved: z.boolean(),
  isBranchRemoved: z.boolean(),
  keeps: z.array(z.string()).describe('why it stays, in words'),
});

export const setupOutput = z.object({
  state: setupState,
  command: z.string().nullable(),
  output: z.string().describe('the last that it wrote'),
});

export const trustedSetup = z.strictObject({
  folder: folderPath,
  text: z.string().max(65_536).describe('as it was read; refused when it has changed since'),
});

/** A worktree that a session is to get. */
export type NewWorktree = z.infer<typeof newWorktree>;

/** What a repository says of its new worktrees. */
export type WorktreeSetup = z.infer<typeof worktreeSetup>;

/** A repository of the hub's machine. */
export type Repository = z.infer<typeof repository>;

/** How far the set-up of a worktree is. */
export type SetupState = z.infer<typeof setupState>;

/** A working tree of its own that a session was given, or what is left of one. */
export type Worktree = z.infer<typeof worktree>;

/** What became of the worktree of a session that was removed. */
export type LeftWorktree = z.infer<typeof leftWorktree>;

/** What the set-up of a session's worktree said. */
export type SetupOutput = z.infer<typeof setupOutput>;
