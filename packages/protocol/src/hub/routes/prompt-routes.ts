import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { newPrompt, prompt, promptChange } from '../schema/prompt.ts';
import type { RouteTable } from './route.ts';

export const promptRoutes = {
  'GET /api/sessions/{session}/prompts': {
    summary: 'Prompts that have not arrived at the agent, in their order',
    scope: 'watch',
    isLong: true,
    answer: z.object({ items: z.array(prompt) }),
  },
  'POST /api/sessions/{session}/prompts': {
    summary: 'Admit a prompt; it is durable when this answers',
    scope: 'drive',
    size: LIMITS.bodyBytes,
    body: newPrompt,
    status: 201,
    answer: prompt,
    isRepeatable: true,
    errors: [
      'AGENT_IN_TERMINAL',
      'AGENT_TERMINAL_ONLY',
      'MESSAGE_INVALID',
      'PROMPT_ID_TAKEN',
      'LINE_TOO_LONG',
      'STORE_LIMIT',
    ],
  },
  'PATCH /api/sessions/{session}/prompts/{prompt}': {
    summary: 'Change a prompt that still waits, or move it among those that do',
    scope: 'drive',
    isLong: true,
    size: LIMITS.bodyBytes,
    body: promptChange,
    answer: prompt,
    errors: ['STORE_NOT_FOUND', 'PROMPT_NOT_WAITING', 'MESSAGE_INVALID', 'LINE_TOO_LONG', 'STORE_LIMIT'],
  },
  'DELETE /api/sessions/{session}/prompts/{prompt}': {
    summary: 'Cancel a prompt that still waits',
    scope: 'drive',
    answer: prompt,
    errors: ['STORE_NOT_FOUND', 'PROMPT_NOT_WAITING'],
  },
} satisfies RouteTable;
