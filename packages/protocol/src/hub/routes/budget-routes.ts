import * as z from 'zod';
import { budget, budgetChange, newBudget } from '../schema/budget.ts';
import { session } from '../schema/session.ts';
import { spendReport } from '../schema/spend.ts';
import { sessionId } from '../schema/values.ts';
import { SPEND_GROUPS } from '../spend-groups.ts';
import type { RouteTable } from './route.ts';

const moment = z.coerce.number<number>().min(0);

export const budgetRoutes = {
  'GET /api/budgets': {
    summary: 'The limits of what agents may spend, oldest first, and what is spent of each',
    scope: 'watch',
    query: z.object({
      session: sessionId.exactOptional().describe('only those that count in this session'),
    }),
    answer: z.object({ items: z.array(budget) }),
    errors: ['STORE_SESSION_NOT_FOUND'],
  },
  'POST /api/budgets': {
    summary: 'Add a budget. It counts at once, with what was spent already',
    scope: 'admin',
    body: newBudget,
    status: 201,
    isRepeatable: true,
    answer: budget,
    errors: ['FOLDER_NOT_FOUND', 'STORE_SESSION_NOT_FOUND', 'STORE_LIMIT'],
  },
  'PATCH /api/budgets/{budget}': {
    summary: 'Raise or lower a budget: prompts that waited for it go on',
    scope: 'admin',
    body: budgetChange,
    answer: budget,
    errors: ['STORE_NOT_FOUND', 'BUDGET_EMPTY'],
  },
  'DELETE /api/budgets/{budget}': {
    summary: 'Remove a budget',
    scope: 'admin',
    answer: budget,
    errors: ['STORE_NOT_FOUND'],
  },
  'POST /api/sessions/{session}/allow-turn': {
    summary: 'Let a session have one more turn, whatever budgets are reached',
    scope: 'admin',
    body: z.strictObject({}),
    answer: session,
    isRepeatable: true,
    errors: ['STORE_SESSION_NOT_FOUND', 'BUDGET_NOT_REACHED'],
  },
  'GET /api/spend': {
    summary: 'What was spent, by day, model, folder, person or session',
    scope: 'watch',
    isLong: true,
    query: z.object({
      by: z.enum(SPEND_GROUPS).default('day'),
      since: moment.exactOptional().describe('milliseconds since 1970; from the day that this is in'),
      until: moment.exactOptional().describe('up to the day that this is in'),
      session: sessionId.exactOptional(),
      folder: z.string().max(4096).exactOptional().describe('there or below'),
    }),
    answer: spendReport,
  },
} satisfies RouteTable;
