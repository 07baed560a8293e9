import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { permission, personAnswer } from '../schema/permission.ts';
import { pageOf, pageQuery, sessionId } from '../schema/values.ts';
import type { RouteTable } from './route.ts';

export const permissionRoutes = {
  'GET /api/permissions': {
    summary: 'What agents ask and nobody has answered, oldest first',
    scope: 'watch',
    isLong: true,
    query: z.object({ ...pageQuery, session: sessionId.exactOptional() }),
    answer: pageOf(permission),
    errors: ['STORE_SESSION_NOT_FOUND'],
  },
  'POST /api/sessions/{session}/permissions/{request}/answer': {
    summary: 'Allow or deny; the first answer wins, and whoever comes later gets it back',
    scope: 'approve',
    size: LIMITS.answerBytes,
    body: personAnswer,
    answer: z.object({ permission, isFirst: z.boolean() }),
    isRepeatable: true,
    errors: [
      'ASK_NOT_FOUND',
      'ASK_ANSWER_INVALID',
      'ASK_CHANGE_FORBIDDEN',
      'MESSAGE_INVALID',
      'STORE_LIMIT',
      'STORE_UNREADABLE',
    ],
  },
} satisfies RouteTable;
