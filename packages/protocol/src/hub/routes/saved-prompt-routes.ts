import * as z from 'zod';
import { newSavedPrompt, savedPrompt, savedPromptName } from '../schema/saved-prompt.ts';
import type { RouteTable } from './route.ts';

export const savedPromptRoutes = {
  'GET /api/saved-prompts': {
    summary: 'Prompts to use again, by name',
    scope: 'drive',
    isLong: true,
    answer: z.object({ items: z.array(savedPrompt) }),
    errors: ['SAVED_PROMPTS_UNREADABLE'],
  },
  'POST /api/saved-prompts': {
    summary: 'Save a prompt, in the place of the one that has the name',
    scope: 'drive',
    body: newSavedPrompt,
    answer: savedPrompt,
    isRepeatable: true,
    errors: ['SAVED_PROMPT_LIMIT', 'SAVED_PROMPTS_UNREADABLE'],
  },
  'DELETE /api/saved-prompts': {
    summary: 'Forget a saved prompt',
    scope: 'drive',
    query: z.object({ name: savedPromptName }),
    answer: z.object({}),
    errors: ['SAVED_PROMPTS_UNREADABLE'],
  },
} satisfies RouteTable;
