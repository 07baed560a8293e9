import * as z from 'zod';
import { folderPath } from '../schema/trust.ts';
import { leftWorktree, repository, setupOutput, trustedSetup, worktree } from '../schema/worktree.ts';
import type { RouteTable } from './route.ts';

export const worktreeRoutes = {
  'GET /api/repositories': {
    summary: 'The repository that a folder of this machine is in, and what it says of new worktrees',
    scope: 'drive',
    query: z.object({ folder: folderPath }),
    answer: repository,
    errors: [
      'FOLDER_NOT_FOUND',
      'NOT_A_REPOSITORY',
      'SETUP_INVALID',
      'GIT_FAILED',
      'GIT_UNAVAILABLE',
      'GIT_TIMEOUT',
    ],
  },
  'POST /api/trusted-setups': {
    summary: "Trust a repository's set-up of worktrees, in exactly these words",
    scope: 'admin',
    body: trustedSetup,
    answer: repository,
    errors: [
      'FOLDER_NOT_FOUND',
      'NOT_A_REPOSITORY',
      'SETUP_INVALID',
      'SETUP_CHANGED',
      'GIT_FAILED',
      'GIT_UNAVAILABLE',
      'GIT_TIMEOUT',
    ],
  },
  'DELETE /api/trusted-setups': {
    summary: "Trust a repository's set-up no longer",
    scope: 'admin',
    query: z.object({ folder: folderPath }),
    answer: repository,
    errors: [
      'FOLDER_NOT_FOUND',
      'NOT_A_REPOSITORY',
      'SETUP_INVALID',
      'GIT_FAILED',
      'GIT_UNAVAILABLE',
      'GIT_TIMEOUT',
    ],
  },
  'GET /api/worktrees': {
    summary: 'The worktrees that sessions were given, and why each would stay',
    scope: 'drive',
    isLong: true,
    isSlow: true,
    answer: z.object({ items: z.array(worktree) }),
  },
  'POST /api/worktrees/sweep': {
    summary: 'Remove those without a session that are clean, and pushed or merged',
    scope: 'admin',
    answer: z.object({ items: z.array(leftWorktree) }),
  },
  'DELETE /api/worktrees/{repository}/{slug}': {
    summary:
      'Remove one without a session, with what is changed in it; a branch with commits of its own stays',
    scope: 'admin',
    answer: leftWorktree,
    errors: [
      'WORKTREE_NOT_FOUND',
      'WORKTREE_IN_USE',
      'WORKTREE_NOT_OURS',
      'GIT_FAILED',
      'GIT_UNAVAILABLE',
      'GIT_TIMEOUT',
    ],
  },
  'GET /api/sessions/{session}/setup': {
    summary: "What the set-up command of the session's worktree said",
    scope: 'watch',
    answer: setupOutput,
    errors: ['WORKTREE_NOT_FOUND'],
  },
} satisfies RouteTable;
