import * as z from 'zod';
import { signIn } from '../schema/device.ts';
import type { Route, RouteTable } from './route.ts';

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
