import * as z from 'zod';
import { session } from '../schema/session.ts';
import { sessionId } from '../schema/values.ts';
import { leftWorktree } from '../schema/worktree.ts';
import { JSONL, type RouteTable } from './route.ts';

export const archiveRoutes = {
  'GET /api/sessions/{session}/export': {
    summary: 'The session as JSONL: what is known of it, then its record',
    scope: 'watch',
    gives: JSONL,
    answer: z.string(),
  },
  'POST /api/sessions/import': {
    summary: 'A session from its export: all of it, or nothing',
    scope: 'admin',
    query: z.object({ id: sessionId.exactOptional().describe('another id than it had') }),
    takes: JSONL,
    status: 201,
    answer: session,
    errors: ['SESSION_FILE_INVALID', 'STORE_SESSION_EXISTS', 'STORE_LIMIT', 'LINE_TOO_LONG'],
  },
  'DELETE /api/sessions/{session}': {
    summary:
      'Forget a session and its record; refused while its agent runs. Its worktree goes when nothing of it would be lost',
    scope: 'admin',
    answer: z.object({ removed: z.string(), worktree: leftWorktree.exactOptional() }),
    errors: ['SESSION_CONNECTED', 'BRIDGE_RUNNING', 'LAUNCH_UNDER_WAY'],
  },
} satisfies RouteTable;
