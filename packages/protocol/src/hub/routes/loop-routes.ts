import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { LOOP_STATES } from '../../loop/loop.ts';
import { loop, loopChange, loopIteration, newLoop } from '../schema/loop.ts';
import { pageOf, pageQuery } from '../schema/values.ts';
import type { RouteTable } from './route.ts';

function act(summary: string) {
  return {
    summary,
    scope: 'drive',
    answer: loop,
    isRepeatable: true,
    errors: ['STORE_NOT_FOUND', 'LOOP_ENDED'],
  } as const;
}

export const loopRoutes = {
  'POST /api/loops': {
    summary: 'Run an agent again and again until a condition comes',
    scope: 'drive',
    size: LIMITS.answerBytes,
    body: newLoop,
    status: 201,
    answer: loop,
    isRepeatable: true,
    errors: [
      'AGENT_NOT_FOUND',
      'AGENT_TERMINAL_ONLY',
      'FOLDER_NOT_FOUND',
      'PROFILE_NOT_FOUND',
      'PROFILES_UNREADABLE',
      'LOOP_PROMPT_FILE',
      'LOOP_EXISTS',
      'LOOP_LIMIT',
    ],
  },
  'GET /api/loops': {
    summary: 'The loops, newest first',
    scope: 'watch',
    isLong: true,
    query: z.object({ ...pageQuery, state: z.enum(LOOP_STATES).exactOptional() }),
    answer: pageOf(loop),
  },
  'GET /api/loops/{loop}': {
    summary: 'How far a loop is',
    scope: 'watch',
    answer: loop,
    errors: ['STORE_NOT_FOUND'],
  },
  'GET /api/loops/{loop}/iterations': {
    summary: 'The iterations of a loop, newest first',
    scope: 'watch',
    isLong: true,
    query: z.object(pageQuery),
    answer: pageOf(loopIteration),
    errors: ['STORE_NOT_FOUND'],
  },
  'PATCH /api/loops/{loop}': {
    summary: 'Change a loop that has not ended; what it is told counts from its next iteration on',
    scope: 'drive',
    size: LIMITS.answerBytes,
    body: loopChange,
    answer: loop,
    errors: ['STORE_NOT_FOUND', 'LOOP_ENDED', 'LOOP_CHANGED', 'LOOP_PROMPT_FILE'],
  },
  'DELETE /api/loops/{loop}': {
    summary: 'Forget a loop that has ended; its sessions stay',
    scope: 'drive',
    answer: z.object({}),
    errors: ['STORE_NOT_FOUND', 'LOOP_UNDER_WAY'],
  },
  'POST /api/loops/{loop}/pause': act('Pause a loop once the iteration under way is over'),
  'POST /api/loops/{loop}/resume': act('Go on with a loop that is paused'),
  'POST /api/loops/{loop}/stop': act('End the turn that runs, and then the loop'),
} satisfies RouteTable;
