import * as z from 'zod';
import { session } from '../schema/session.ts';
import { newTerminal, newView, terminal } from '../schema/terminal.ts';
import type { RouteTable } from './route.ts';

export const terminalRoutes = {
  'GET /api/sessions/{session}/terminals': {
    summary: 'The terminals of a session, in the order in which they were started',
    scope: 'watch',
    answer: z.object({ items: z.array(terminal) }),
  },
  'POST /api/sessions/{session}/terminals': {
    summary: "A shell in the session's folder, on the machine of the hub",
    scope: 'admin',
    body: newTerminal,
    status: 201,
    answer: terminal,
    errors: ['FOLDER_NOT_FOUND', 'TERMINAL_LIMIT', 'TERMINAL_NOT_STARTED', 'TERMINAL_UNAVAILABLE'],
  },
  'POST /api/sessions/{session}/view': {
    summary:
      'Go on with the conversation in a terminal, on the screen of the agent itself, or back over the SDK. Waits for the end of the turn: the answer then says that it is on its way',
    scope: 'drive',
    body: newView,
    answer: session,
    errors: [
      'AGENT_IN_TERMINAL',
      'AGENT_NOT_CONNECTED',
      'AGENT_NOT_FOUND',
      'AGENT_NOT_STARTED',
      'AGENT_NOT_STOPPED',
      'AGENT_TERMINAL_ONLY',
      'BRIDGE_RUNNING',
      'CONVERSATION_IN_USE',
      'FOLDER_NOT_FOUND',
      'LAUNCH_UNDER_WAY',
      'SESSION_NOT_LAUNCHED',
      'TERMINAL_LIMIT',
      'TERMINAL_NOT_STARTED',
      'TERMINAL_UNAVAILABLE',
      'TRANSCRIPT_NOT_FOUND',
      'TRANSCRIPT_TOO_LONG',
      'VIEW_UNCHANGED',
      'VIEW_UNKNOWN',
    ],
  },
  'DELETE /api/sessions/{session}/terminals/{terminal}': {
    summary: 'End a terminal with all that runs in it, and forget what it wrote',
    scope: 'admin',
    answer: terminal,
    errors: ['TERMINAL_NOT_FOUND'],
  },
} satisfies RouteTable;
