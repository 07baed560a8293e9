import * as z from 'zod';
import { signIn } from '../schema/device.ts';
import { noticeAnswer, noticeAnswered, noticeLook, noticeQuestion } from '../schema/notice.ts';
import type { Route, RouteTable } from './route.ts';

const CAPABILITY_ERRORS = [
  'CAPABILITY_INVALID',
  'CAPABILITY_EXPIRED',
  'CAPABILITY_USED',
  'CAPABILITY_CHANGED',
  'SIGN_IN_LIMIT',
] as const;

/** What answers in its own way: with cookies, or with text. Without a scope it takes no token. */
export const PLAIN_ROUTES = {
  'POST /api/sign-in': {
    summary:
      'Sign a browser in: one part of its token is the cookie, the other what its page sends as bearer',
    body: signIn,
    answer: z.object({ bearer: z.string() }),
    errors: ['SIGN_IN_LINK_INVALID', 'SIGN_IN_LIMIT'],
  },
  'POST /api/sign-out': {
    summary: 'Revoke the token that comes along',
    scope: 'watch',
    answer: z.object({ ok: z.literal(true) }),
  },
  'POST /api/notice-answers/look': {
    summary: 'What the right that came with a notice would allow; it takes no token, and answers nothing',
    body: noticeLook,
    answer: noticeQuestion,
    errors: [...CAPABILITY_ERRORS],
  },
  'POST /api/notice-answers': {
    summary:
      'Answer by the right that came with a notice: once, in time, and for the input that it was about; it takes no token',
    body: noticeAnswer,
    answer: noticeAnswered,
    errors: [...CAPABILITY_ERRORS, 'STORE_SESSION_NOT_FOUND', 'STORE_UNREADABLE'],
  },
  'GET /api/openapi.json': {
    summary: 'This description',
    scope: 'watch',
    answer: z.looseObject({}),
  },
  'GET /metrics': {
    summary: 'Figures for Prometheus',
    scope: 'watch',
    gives: 'text/plain',
    answer: z.string(),
  },
  'GET /healthz': { summary: 'Whether the hub lives', gives: 'text/plain', answer: z.string() },
  'GET /readyz': { summary: 'Whether its store does', gives: 'text/plain', answer: z.string() },
} satisfies Record<keyof RouteTable, Omit<Route, 'scope'> & Partial<Pick<Route, 'scope'>>>;
