import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { author } from './author.ts';
import { clientId, delivery } from './prompt.ts';
import { time } from './values.ts';

/** A file's path within its repository. */
const path = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]+$/);

/** What the files of a folder are compared with. */
export const CHANGE_BASES = ['head', 'branch', 'merge-base', 'start', 'turn'] as const;

export const changeBase = {
  base: z
    .enum(CHANGE_BASES)
    .default('head')
    .describe(
      'head: the last commit; branch: a branch; merge-base: where HEAD left a branch; start: the files when the session began, what was not committed included; turn: what one turn changed',
    ),
  branch: z.string().min(1).max(1000).exactOptional().describe('for the bases `branch` and `merge-base`'),
};

const turnEntry = z.number().int().min(1).describe('the entry of the record with which the turn ended');

/** In a query all is text. */
const turnInQuery = z.coerce
  .number<number>()
  .int()
  .min(1)
  .exactOptional()
  .describe('for the base `turn`: the entry of the record with which the turn ended');

export const changesQuery = z.object({ ...changeBase, turn: turnInQuery });

export const diffQuery = z.object({
  ...changeBase,
  turn: turnInQuery,
  path,
  oldPath: path.exactOptional().describe('what it was called, for a file that was renamed'),
  context: z.coerce.number<number>().int().min(0).max(10_000).default(3).describe('lines around a change'),
});

/** Files to do something with, by their paths. */
export const namedFiles = z.strictObject({ paths: z.array(path).min(1).max(LIMITS.namedFiles.most) });

export const newCommit = z.strictObject({
  message: z.string().trim().min(1).max(LIMITS.commitMessageLength.most),
});

export const madeCommit = z.object({ commit: z.string() });

export const discardName = z.object({ discard: z.uuid().describe('to undo it by') });

const commentWords = z.string().min(1).max(LIMITS.commentLength.most);

const commentPlace = {
  path,
  side: z.enum(['old', 'new']).describe('old: as it is in what the files are compared with'),
  line: z.number().int().min(1).describe('the first of its lines'),
  quote: z.string().max(LIMITS.commentLength.most).describe('the lines that it is about'),
  text: commentWords,
};

export const newComment = z.strictObject({
  ...commentPlace,
  ...changeBase,
  turn: turnEntry.exactOptional(),
});

export const changeComment = z.object({
  id: z.string(),
  ...commentPlace,
  base: changeBase.base.unwrap(),
  baseCommit: z.string().nullable(),
  hash: z.string().describe('of its lines: they are known again by it'),
  author,
  createdAt: time,
  fit: z
    .enum(['fits', 'moved', 'gone'])
    .describe('moved: its lines are somewhere else by now; gone: they are not what they were'),
});

export const sentComments = z.strictObject({ clientId, delivery: delivery.default('queue') });

const changedFile = z.object({
  path,
  oldPath: path.exactOptional().describe('what it was called, if it was renamed'),
  kind: z.enum(['added', 'modified', 'deleted', 'renamed', 'retyped', 'untracked', 'conflicted']),
  staged: z.enum(['none', 'part', 'all']).describe('how much of it the next commit would have'),
  added: z.number().nullable().describe('lines; null where they were not counted'),
  removed: z.number().nullable(),
  isBinary: z.boolean(),
  isSubmodule: z.boolean(),
});

const underWay = z
  .enum(['merge', 'rebase', 'cherry-pick', 'revert', 'bisect'])
  .describe('what somebody has begun and not ended');

export const folderChangeList = z.object({
  root: z.string().describe('the folder of the repository'),
  branch: z.string().nullable().describe('null: HEAD is on no branch'),
  head: z.string().nullable().describe('null: nothing was committed yet'),
  upstream: z.string().nullable(),
  ahead: z.number(),
  behind: z.number(),
  underWay: underWay.nullable(),
  isLocked: z.boolean().describe('another git writes to the index, or one that was killed left its lock'),
  baseCommit: z.string().nullable().describe('what the files are compared with'),
  files: z.array(changedFile),
  isCut: z.boolean().describe('there are more files than are listed'),
});

const hunk = z.object({
  oldStart: z.number(),
  newStart: z.number(),
  title: z.string().describe('the function or section that it is in, as far as git knows'),
  lines: z
    .array(z.string())
    .describe('each with a space, a `+` or a `-` before it, or `\\` for a note of git'),
});

export const fileDiff = z.object({
  path,
  oldPath: path.exactOptional(),
  oldMode: z.string().nullable().describe('null: there was no such file'),
  newMode: z.string().nullable(),
  isBinary: z.boolean(),
  hunks: z.array(hunk),
  isCut: z.boolean().describe('it goes on: more than the limit is not shown'),
});

export const branchList = z.object({
  items: z
    .array(z.string())
    .describe('those that were committed to last come first; `origin/main` is one of a remote'),
  isCut: z.boolean(),
});

export const turnChanges = z.object({
  turn: turnEntry,
  startedAt: time,
  endedAt: time,
  files: z.number(),
  added: z.number().describe('lines'),
  removed: z.number(),
  leftOut: z.string().nullable().describe('why it is not known what it changed'),
});

export const turnList = z.object({ items: z.array(turnChanges).describe('the newest first') });

/** What a turn changed in a session's folder. */
export type TurnChanges = z.infer<typeof turnChanges>;

/** What the files of a folder are compared with. */
export type ChangeBase = (typeof CHANGE_BASES)[number];

/** A comment on changed lines that was not sent yet. */
export type ChangeComment = z.infer<typeof changeComment>;

/** A file that differs from what it is compared with. */
export type ChangedFile = z.infer<typeof changedFile>;

/** What differs in a session's folder, as git sees it. */
export type FolderChangeList = z.infer<typeof folderChangeList>;

/** Something that a repository is in the middle of. */
export type RepositoryTask = z.infer<typeof underWay>;

/** Lines that changed, with some around them. */
export type DiffHunk = z.infer<typeof hunk>;

/** How one file differs. */
export type FileDiff = z.infer<typeof fileDiff>;
