import * as z from 'zod';
import {
  branchList,
  changeComment,
  changesQuery,
  diffQuery,
  discardName,
  fileDiff,
  folderChangeList,
  madeCommit,
  namedFiles,
  newComment,
  newCommit,
  sentComments,
  turnList,
} from '../schema/changes.ts';
import { prompt } from '../schema/prompt.ts';
import type { ProblemCode } from './problem.ts';
import type { RouteTable } from './route.ts';

const OF_REPOSITORIES = [
  'FOLDER_NOT_FOUND',
  'REPOSITORY_NOT_FOUND',
  'REPOSITORY_BARE',
  'REPOSITORY_ELSEWHERE',
  'GIT_UNAVAILABLE',
  'GIT_FAILED',
  'GIT_TIMEOUT',
] as const satisfies readonly ProblemCode[];

const OF_WRITING = [
  ...OF_REPOSITORIES,
  'CHANGE_NOT_FOUND',
  'REPOSITORY_LOCKED',
  'REPOSITORY_FILTERED',
] as const satisfies readonly ProblemCode[];

export const changesRoutes = {
  'GET /api/sessions/{session}/changes': {
    summary: "The files of the session's folder that differ from what they are compared with",
    scope: 'watch',
    isLong: true,
    isSlow: true,
    query: changesQuery,
    answer: folderChangeList,
    errors: [...OF_REPOSITORIES, 'CHANGE_BASE_NOT_FOUND'],
  },
  'GET /api/sessions/{session}/changes/diff': {
    summary: 'How one of these files differs',
    scope: 'watch',
    isLong: true,
    isSlow: true,
    query: diffQuery,
    answer: fileDiff,
    errors: [...OF_REPOSITORIES, 'CHANGE_BASE_NOT_FOUND', 'CHANGE_NOT_FOUND'],
  },
  'GET /api/sessions/{session}/changes/branches': {
    summary: 'Branches that they can be compared with',
    scope: 'watch',
    isLong: true,
    isSlow: true,
    answer: branchList,
    errors: OF_REPOSITORIES,
  },
  'GET /api/sessions/{session}/changes/turns': {
    summary: 'What each of its last turns changed, as far as that was noted',
    scope: 'watch',
    answer: turnList,
    errors: ['FOLDER_NOT_FOUND'],
  },
  'POST /api/sessions/{session}/changes/stage': {
    summary: 'Have files in the next commit as they are now',
    scope: 'drive',
    body: namedFiles,
    answer: z.object({}),
    isRepeatable: true,
    errors: OF_WRITING,
  },
  'POST /api/sessions/{session}/changes/unstage': {
    summary: 'Have files in the next commit as they are in the last one',
    scope: 'drive',
    body: namedFiles,
    answer: z.object({}),
    isRepeatable: true,
    errors: OF_WRITING,
  },
  'POST /api/sessions/{session}/changes/discard': {
    summary: 'Make files what they are in the last commit, and keep what they were',
    scope: 'drive',
    body: namedFiles,
    answer: discardName,
    errors: [...OF_WRITING, 'CHANGE_LIMIT', 'CHANGE_IN_WAY'],
  },
  'POST /api/sessions/{session}/changes/undo': {
    summary: 'Give back what was discarded',
    scope: 'drive',
    body: discardName,
    answer: z.object({}),
    errors: [...OF_WRITING, 'UNDO_NOT_FOUND', 'CHANGE_CONFLICT'],
  },
  'POST /api/sessions/{session}/changes/commit': {
    summary: 'Commit what is staged; hooks of the repository are not run, and nothing is pushed',
    scope: 'drive',
    body: newCommit,
    status: 201,
    answer: madeCommit,
    errors: [...OF_WRITING, 'NOTHING_STAGED', 'GIT_TASK_UNDER_WAY', 'GIT_IDENTITY_UNKNOWN'],
  },
  'GET /api/sessions/{session}/changes/comments': {
    summary: 'Comments on changed lines that were not sent yet, in their order, and whether they still fit',
    scope: 'watch',
    isLong: true,
    isSlow: true,
    answer: z.object({ items: z.array(changeComment) }),
    errors: OF_REPOSITORIES,
  },
  'POST /api/sessions/{session}/changes/comments': {
    summary: 'A comment on changed lines; it is durable when this answers, and waits to be sent',
    scope: 'drive',
    body: newComment,
    status: 201,
    answer: changeComment,
    errors: [...OF_REPOSITORIES, 'CHANGE_BASE_NOT_FOUND', 'STORE_LIMIT'],
  },
  'DELETE /api/sessions/{session}/changes/comments/{comment}': {
    summary: 'Take a comment back',
    scope: 'drive',
    answer: z.object({}),
  },
  'POST /api/sessions/{session}/changes/comments/send': {
    summary: 'Send all comments to the agent, as one prompt',
    scope: 'drive',
    body: sentComments,
    status: 201,
    answer: prompt,
    isRepeatable: true,
    errors: [...OF_REPOSITORIES, 'NO_COMMENTS', 'PROMPT_ID_TAKEN', 'LINE_TOO_LONG', 'STORE_LIMIT'],
  },
} satisfies RouteTable;
