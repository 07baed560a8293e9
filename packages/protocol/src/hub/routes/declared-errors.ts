import { PLAIN_ROUTES } from './plain-routes.ts';
import type { ProblemCode } from './problem.ts';
import { partsOf, type Route, takesBody } from './route.ts';

/** What any request may be refused with. */
const OF_ALL: readonly ProblemCode[] = [
  'REQUEST_INVALID',
  'ORIGIN_REFUSED',
  'STORE_ARGUMENT',
  'STORE_BUSY',
  'STORE_CLOSED',
  'STORE_FULL',
  'STORE_LEAD_LOST',
  'STORE_READ_ONLY',
  'STORE_UNREACHABLE',
  'STORE_UNCERTAIN',
  'NO_LEADER',
  'LEADER_LOST',
  'NOT_LEADING',
];
const OF_TOKENS: readonly ProblemCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'DEVICE_LIMIT'];
const OF_SESSIONS: readonly ProblemCode[] = [
  'STORE_SESSION_NOT_FOUND',
  'STORE_SESSION_LOST',
  'STORE_UNREADABLE',
  'LAUNCH_ELSEWHERE',
];
const OF_BODIES: readonly ProblemCode[] = [
  'BODY_TOO_LONG',
  'BODY_TOO_SLOW',
  'CONTENT_TYPE',
  'JSON_TOO_DEEP',
  'TOO_MANY_VALUES',
];
const OF_KEYS: readonly ProblemCode[] = ['IDEMPOTENCY_KEY_REUSED', 'OUTCOME_UNKNOWN'];

/** Whether a request may carry an idempotency key. */
export function takesKey(key: string, { takes }: Partial<Route>): boolean {
  return partsOf(key).method === 'POST' && takes === undefined && !(key in PLAIN_ROUTES);
}

/** All that a route may be refused with. */
export function declaredErrors(key: string, route: Partial<Route>): ProblemCode[] {
  const { method, path } = partsOf(key);
  const codes = [
    ...OF_ALL,
    ...(route.scope ? OF_TOKENS : []),
    ...(path.includes('{session}') ? OF_SESSIONS : []),
    ...(takesBody(method) ? OF_BODIES : []),
    ...(takesKey(key, route) ? OF_KEYS : []),
    ...(route.errors ?? []),
  ];
  return [...new Set(codes)];
}
