import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { MAX_PAGE_ITEMS } from '../page-limits.ts';
import { controlRequest, controlTimeout } from '../schema/control.ts';
import { createdSession, newSession } from '../schema/launch.ts';
import { eventWindow, windowQuery } from '../schema/record.ts';
import { session, viewer } from '../schema/session.ts';
import { updatePage } from '../schema/update.ts';
import { count, pageOf, pageQuery, words } from '../schema/values.ts';
import { SESSION_STATES } from '../session-state.ts';
import { JSONL, type RouteTable } from './route.ts';

export const sessionRoutes = {
  'GET /api/sessions': {
    summary: 'The sessions, newest first',
    scope: 'watch',
    isLong: true,
    query: z.object({ ...pageQuery, state: z.enum(SESSION_STATES).exactOptional() }),
    answer: pageOf(session),
  },
  'POST /api/sessions': {
    summary: 'A place for an agent with the token and path to dial in by; with `launch`, an agent that runs',
    scope: 'drive',
    size: LIMITS.bodyBytes,
    body: newSession,
    status: 201,
    answer: createdSession,
    isRepeatable: true,
    errors: [
      'STORE_SESSION_EXISTS',
      'BUDGET_REACHED',
      'PROFILE_NOT_FOUND',
      'PROFILES_UNREADABLE',
      'AGENT_NOT_FOUND',
      'AGENT_NOT_STARTED',
      'AGENT_TERMINAL_ONLY',
      'FOLDER_NOT_FOUND',
      'NOTHING_TO_RESUME',
      'NOT_A_PROMPT',
      'NOT_A_REPLY',
      'CONVERSATION_IN_USE',
      'LAUNCH_UNDER_WAY',
      'BRIDGE_RUNNING',
      'TERMINAL_LIMIT',
      'TERMINAL_NOT_STARTED',
      'TERMINAL_UNAVAILABLE',
      'NOT_A_REPOSITORY',
      'REPOSITORY_BUSY',
      'BASE_NOT_FOUND',
      'BRANCH_EXISTS',
      'WORKTREE_EXISTS',
      'WORKTREE_NOT_MADE',
      'SETUP_INVALID',
      'SETUP_NOT_TRUSTED',
      'GIT_FAILED',
      'GIT_UNAVAILABLE',
      'GIT_TIMEOUT',
    ],
  },
  'GET /api/updates': {
    summary: 'Which sessions something has happened in after a position, in the order of their last update',
    scope: 'watch',
    query: z.object({
      after: z.coerce
        .number<number>()
        .int()
        .min(0)
        .exactOptional()
        .describe('the `position` of the page before'),
      limit: count(MAX_PAGE_ITEMS).exactOptional(),
    }),
    answer: updatePage,
  },
  'GET /api/sessions/{session}': {
    summary: 'What is known about a session',
    scope: 'watch',
    answer: session,
  },
  'PATCH /api/sessions/{session}': {
    summary: 'Give a session another title, or put it away and take it out again',
    scope: 'drive',
    body: z
      .strictObject({ title: words.exactOptional(), isArchived: z.boolean().exactOptional() })
      .refine((change) => Object.keys(change).length > 0, 'say a title, or isArchived'),
    answer: session,
  },
  'GET /api/sessions/{session}/events': {
    summary: 'A window of the record: its tail, or from a number on, or before a number',
    scope: 'watch',
    isLong: true,
    query: windowQuery,
    answer: eventWindow,
    errors: ['STORE_NOT_FOUND'],
  },
  'GET /api/sessions/{session}/transcript': {
    summary: 'The conversation as JSONL, in the form that agents resume from',
    scope: 'watch',
    gives: JSONL,
    answer: z.string(),
    errors: ['BODY_TOO_LONG'],
  },
  'GET /api/sessions/{session}/viewers': {
    summary: 'Who watches a session at the moment, each device once',
    scope: 'watch',
    answer: z.object({ items: z.array(viewer) }),
  },
  'POST /api/sessions/{session}/control': {
    summary: 'Ask the agent something; answered with what it says',
    scope: 'drive',
    query: z.object({ timeoutMs: controlTimeout.exactOptional() }),
    body: controlRequest,
    answer: z.looseObject({}),
    errors: [
      'AGENT_NOT_CONNECTED',
      'AGENT_NOT_READING',
      'CONTROL_CLOSED',
      'CONTROL_REFUSED',
      'CONTROL_TIMEOUT',
      'MESSAGE_NOT_SENDABLE',
    ],
  },
} satisfies RouteTable;
