import * as z from 'zod';
import { MAX_PAGE_ITEMS } from '../page-limits.ts';
import { storedConversation } from '../schema/conversation.ts';
import { launchableAgents, launchSpec } from '../schema/launch.ts';
import { session, sessionPlace } from '../schema/session.ts';
import { folderPath } from '../schema/trust.ts';
import { count } from '../schema/values.ts';
import type { RouteTable } from './route.ts';

export const launchRoutes = {
  'GET /api/agents': {
    summary: 'The agents that can be launched on this machine',
    scope: 'watch',
    answer: launchableAgents,
  },
  'GET /api/conversations': {
    summary: "Conversations that agents left on the hub's machine, the newest first",
    scope: 'drive',
    isLong: true,
    isSlow: true,
    query: z.object({
      folder: folderPath
        .exactOptional()
        .describe("only those of this folder and of its repository's other working trees"),
      limit: count(MAX_PAGE_ITEMS).exactOptional(),
    }),
    answer: z.object({ items: z.array(storedConversation) }),
  },
  'POST /api/sessions/{session}/stop': {
    summary: 'End the agent and all that it started; answers when it is gone',
    scope: 'drive',
    answer: session,
    isRepeatable: true,
    errors: ['AGENT_NOT_CONNECTED', 'AGENT_NOT_STOPPED', 'SESSION_NOT_LAUNCHED'],
  },
  'POST /api/sessions/{session}/restart': {
    summary: 'Launch the agent again as it was, with the conversation that it had',
    scope: 'drive',
    answer: session,
    errors: [
      'PROFILE_NOT_FOUND',
      'PROFILES_UNREADABLE',
      'AGENT_IN_TERMINAL',
      'AGENT_TERMINAL_ONLY',
      'TERMINAL_LIMIT',
      'TERMINAL_NOT_STARTED',
      'TERMINAL_UNAVAILABLE',
      'SESSION_NOT_LAUNCHED',
      'AGENT_NOT_CONNECTED',
      'AGENT_NOT_STOPPED',
      'AGENT_NOT_FOUND',
      'AGENT_NOT_STARTED',
      'FOLDER_NOT_FOUND',
      'NOTHING_TO_RESUME',
      'CONVERSATION_IN_USE',
      'LAUNCH_UNDER_WAY',
      'BRIDGE_RUNNING',
    ],
  },
  'POST /api/sessions/{session}/fork': {
    summary:
      'Launch the agent once more in a session of its own, with a copy of the conversation, or of what was said before a prompt or up to a reply',
    scope: 'drive',
    body: z
      .strictObject({
        before: launchSpec.shape.before,
        after: launchSpec.shape.after,
        title: sessionPlace.shape.title,
      })
      .refine(
        ({ before, after }) => before === undefined || after === undefined,
        'before or after, and not both',
      ),
    answer: session,
    errors: [
      'NOT_A_PROMPT',
      'NOT_A_REPLY',
      'AGENT_TERMINAL_ONLY',
      'SESSION_NOT_LAUNCHED',
      'AGENT_NOT_FOUND',
      'AGENT_NOT_STARTED',
      'FOLDER_NOT_FOUND',
      'NOTHING_TO_RESUME',
    ],
  },
} satisfies RouteTable;
