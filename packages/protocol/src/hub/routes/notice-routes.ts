import * as z from 'zod';
import { newNoticeTarget, newPushSubscription, notice, noticeTarget } from '../schema/notice.ts';
import { pageOf, pageQuery, sessionId } from '../schema/values.ts';
import type { RouteTable } from './route.ts';

export const noticeRoutes = {
  'GET /api/notices': {
    summary:
      'Notices and what became of each, newest first; with `admin` all, otherwise those to the own push subscriptions',
    scope: 'watch',
    isLong: true,
    query: z.object({ ...pageQuery, session: sessionId.exactOptional() }),
    answer: pageOf(notice),
  },
  'GET /api/notices/targets': {
    summary: 'Where notices go; with `admin` all, otherwise the own push subscriptions',
    scope: 'watch',
    answer: z.object({ items: z.array(noticeTarget) }),
  },
  'POST /api/notices/targets': {
    summary: 'Send notices to a webhook or an ntfy topic; the secret of a webhook is told this once',
    scope: 'admin',
    status: 201,
    body: newNoticeTarget,
    answer: z.object({ target: noticeTarget, secret: z.string().nullable() }),
    errors: ['NOTICE_URL_INVALID', 'STORE_SESSION_NOT_FOUND', 'STORE_LIMIT'],
  },
  'GET /api/notices/push-key': {
    summary: 'The key that a browser subscribes with; null where the hub cannot push',
    scope: 'watch',
    answer: z.object({ publicKey: z.string().nullable() }),
  },
  'POST /api/notices/push': {
    summary: 'Push notices to this device; another subscription of it is replaced, and all end with it',
    scope: 'watch',
    status: 201,
    body: newPushSubscription,
    answer: noticeTarget,
    isRepeatable: true,
    errors: ['NOTICE_URL_INVALID', 'STORE_SESSION_NOT_FOUND', 'STORE_LIMIT'],
  },
  'DELETE /api/notices/targets/{target}': {
    summary: 'Send nothing there any more; takes `admin`, unless it is the own push subscription',
    scope: 'watch',
    answer: noticeTarget,
    errors: ['STORE_NOT_FOUND'],
  },
  'POST /api/notices/targets/{target}/test': {
    summary: 'Send a test notice there; takes `admin`, unless it is the own push subscription',
    scope: 'watch',
    status: 201,
    answer: z.object({ notice: z.string().describe('its id') }),
    errors: ['STORE_NOT_FOUND', 'NOTICE_TARGET_RETIRED'],
  },
} satisfies RouteTable;
