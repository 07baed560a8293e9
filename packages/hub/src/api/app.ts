import { ReadableStream } from 'node:stream/web';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { SignInLimitError } from '../auth/auth-errors.ts';
import type { HostGuard } from '../auth/host-guard.ts';
import { permit } from '../auth/permit.ts';
import type { ConsoleFiles } from '../server/console-files.ts';
import { MAX_PROMPT_BYTES } from '../store/prompt.ts';
import type { Store } from '../store/store.ts';
import { BodyTooLongError, RequestInvalidError, RouteNotFoundError } from './api-errors.ts';
import { openApiOf } from './openapi.ts';
import { problemOf } from './problem.ts';
import { Repeats } from './repeats.ts';
import { bodyIn, bytesIn, type Env, expectType, headersOf } from './request.ts';
import { JSONL, type Route } from './route.ts';
import { addSignIn, type SignInParts } from './sign-in.ts';

/** The longest body of a request: a prompt with its images. */
export const MAX_BODY_BYTES = MAX_PROMPT_BYTES + 64 * 1024;

/** The longest idempotency key. */
const MAX_KEY_LENGTH = 200;

/** What the HTTP side of the hub works with. */
export interface AppParts extends Omit<SignInParts, 'devices'> {
  store: Store;
  routes: readonly Route[];
  guard: HostGuard;
  metrics: () => Promise<string>;
  /** The web app; without it there is nothing at `/`. */
  console?: ConsoleFiles | undefined;
}

/** All that the hub answers over HTTP. */
export function createApp(parts: AppParts): Hono<Env> {
  const { store, routes, gatekeeper, guard, log } = parts;
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    const start = performance.now();
    await next();
    const ms = Math.round(performance.now() - start);
    const { method, path } = context.req;
    log.debug('request', { method, path, status: context.res.status, ms });
  });
  app.use(async (context, next) => {
    guard.check(headersOf(context));
    await next();
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'no-referrer');
  });
  const streaming = new Set(routes.filter(({ takes }) => takes === JSONL).map(({ path }) => path));
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new BodyTooLongError(MAX_BODY_BYTES);
    },
  });
  app.use((context, next) => (streaming.has(context.req.path) ? next() : limit(context, next)));
  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', async (context) => {
    await store.sessions.list({ limit: 1 });
    return context.text('ok\n');
  });
  app.get('/metrics', async (context) => {
    permit(await gatekeeper.identify(headersOf(context)), 'watch');
    return context.text(await parts.metrics());
  });
  addSignIn(app, { ...parts, devices: store.devices });
  addRoutes(app, parts);
  app.get('/api/openapi.json', async (context) => {
    await gatekeeper.identify(headersOf(context));
    return context.json(openApiOf(routes));
  });
  app.get('*', ({ req }) => {
    const answer = parts.console?.answer(req.path, req.header('accept-encoding'));
    if (!answer) throw new RouteNotFoundError();
    return answer;
  });
  app.notFound(() => {
    throw new RouteNotFoundError();
  });
  app.onError((error, context) => {
    const problem = problemOf(error);
    if (problem.status === 500) log.failure(error, { path: context.req.path });
    if (error instanceof SignInLimitError) context.header('retry-after', String(error.retryAfterS));
    return new Response(JSON.stringify(problem), {
      status: problem.status,
      headers: { 'content-type': 'application/problem+json', ...Object.fromEntries(context.res.headers) },
    });
  });
  return app;
}

function addRoutes(app: Hono<Env>, { routes, gatekeeper, store }: AppParts): void {
  const repeats = new Repeats(store.answers);
  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      const visitor = await gatekeeper.visitor(headersOf(context));
      const { device } = visitor;
      const call = { device, params: context.req.param(), query: context.req.query() };
      if (route.takes === JSONL) {
        expectType(context, JSONL);
        const answer = await route.serve({ ...call, body: bytesIn(context) });
        return answerWith(context, route, answer);
      }
      const hasBody = route.method === 'post' || route.method === 'patch';
      const { text, value: body } = hasBody ? await bodyIn(context) : { text: '', value: undefined };
      const key = route.method === 'post' ? keyIn(context) : undefined;
      if (key === undefined) return answerWith(context, route, await route.serve({ ...call, body }));
      const request = `${context.req.path}\n${JSON.stringify(call.query)}\n${text}`;
      const reply = await repeats.once(visitor, key, request, async () => ({
        status: route.status,
        body: JSON.stringify(await route.serve({ ...call, body })),
      }));
      return context.body(reply.body, route.status, JSON_TYPE);
    });
  }
}

function keyIn(context: Context<Env>): string | undefined {
  const key = context.req.header('idempotency-key');
  if (key !== undefined && (key === '' || key.length > MAX_KEY_LENGTH))
    throw new RequestInvalidError(`an Idempotency-Key has 1 to ${MAX_KEY_LENGTH} characters`);
  return key;
}

function answerWith(context: Context<Env>, { status, gives }: Route, answer: unknown): Response {
  const type = gives === undefined ? JSON_TYPE : { 'content-type': gives };
  if (answer instanceof Uint8Array) return context.body(new Uint8Array(answer), status, type);
  if (!isLines(answer)) return context.body(JSON.stringify(answer), status, type);
  // Read as the client reads: an export may be longer than memory.
  return new Response(ReadableStream.from(answer).pipeThrough(new TextEncoderStream()), {
    status,
    headers: type,
  });
}

function isLines(answer: unknown): answer is AsyncIterable<string> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
