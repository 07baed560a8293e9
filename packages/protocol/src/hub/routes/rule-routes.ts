import * as z from 'zod';
import { backtest, hubRule, newRule, ruleSuggestion } from '../schema/rule.ts';
import { pageOf, pageQuery, sessionId } from '../schema/values.ts';
import type { RouteTable } from './route.ts';

export const ruleRoutes = {
  'GET /api/rules': {
    summary: 'The rules that decide before people are asked, oldest first',
    scope: 'watch',
    isLong: true,
    query: z.object({
      ...pageQuery,
      session: sessionId.exactOptional().describe('only those that count in this session'),
    }),
    answer: pageOf(hubRule),
    errors: ['STORE_SESSION_NOT_FOUND'],
  },
  'POST /api/rules': {
    summary: 'Add a rule. It counts at once, also for what agents ask already',
    scope: 'admin',
    body: newRule,
    status: 201,
    isRepeatable: true,
    answer: z.object({
      rule: hubRule,
      overrules: z.array(hubRule).describe('rules that have no effect any more where this one counts'),
    }),
    errors: [
      'RULE_INVALID',
      'RULE_CONFLICT',
      'FOLDER_NOT_FOUND',
      'STORE_SESSION_NOT_FOUND',
      'STORE_NOT_FOUND',
      'STORE_LIMIT',
    ],
  },
  'DELETE /api/rules/{rule}': {
    summary: 'Remove a rule: what it decided is asked again from now on',
    scope: 'admin',
    answer: hubRule,
    errors: ['STORE_NOT_FOUND'],
  },
  'POST /api/rules/test': {
    summary: 'What a rule would have done to all that agents have asked so far; nothing is changed',
    scope: 'watch',
    body: newRule,
    answer: backtest,
    isRepeatable: true,
    errors: ['RULE_INVALID', 'FOLDER_NOT_FOUND', 'STORE_SESSION_NOT_FOUND'],
  },
  'GET /api/rules/suggestions': {
    summary:
      'Rules that follow from what people have answered, and go against none of their denials; with `session` and `request`, rules for that one request',
    scope: 'watch',
    isLong: true,
    query: z.object({ session: sessionId.exactOptional(), request: z.string().max(1000).exactOptional() }),
    answer: z.object({ items: z.array(ruleSuggestion) }),
    errors: ['ASK_NOT_FOUND', 'STORE_SESSION_NOT_FOUND'],
  },
} satisfies RouteTable;
