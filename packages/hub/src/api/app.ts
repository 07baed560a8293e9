import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { SignInLimitError, SignInLinkError } from '../auth/auth-errors.ts';
import type { Gatekeeper } from '../auth/gatekeeper.ts';
import type { HostGuard } from '../auth/host-guard.ts';
import { permit } from '../auth/permit.ts';
import type { SignInLimit } from '../auth/sign-in-limit.ts';
import { SIGN_IN_PAGE, SIGN_IN_PAGE_POLICY } from '../auth/sign-in-page.ts';
import type { Device } from '../store/device.ts';
import { MAX_PROMPT_BYTES } from '../store/prompt.ts';
import type { Store } from '../store/store.ts';
import { BodyTooLongError, RequestInvalidError, RouteNotFoundError } from './api-errors.ts';
import { openApiOf } from './openapi.ts';
import { problemOf } from './problem.ts';
import { checked, type Route } from './route.ts';

/** The longest body of a request: a prompt with its images. */
export const MAX_BODY_BYTES = MAX_PROMPT_BYTES + 64 * 1024;

/** How long a browser stays signed in. */
const COOKIE_LIFETIME_S = 90 * 24 * 60 * 60;

const signIn = z.strictObject({ link: z.string().min(1).max(1000) });

type Env = { Bindings: HttpBindings };

/** What the HTTP side of the hub works with. */
export interface AppParts {
  store: Store;
  routes: readonly Route[];
  /** Signs a device out for good. */
  signOut: (device: Device) => Promise<unknown>;
  gatekeeper: Gatekeeper;
  guard: HostGuard;
  limit: SignInLimit;
  isSecure: boolean;
  metrics: () => Promise<string>;
  log: (error: unknown) => void;
}

/** All that the hub answers over HTTP. */
export function createApp(parts: AppParts): Hono<Env> {
  const { store, routes, gatekeeper, guard, log } = parts;
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    guard.check((name) => context.req.header(name));
    await next();
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'no-referrer');
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new BodyTooLongError(MAX_BODY_BYTES);
      },
    }),
  );
  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', async (context) => {
    await store.sessions.list({ limit: 1 });
    return context.text('ok\n');
  });
  app.get('/metrics', async (context) => {
    permit(await gatekeeper.identify((name) => context.req.header(name)), 'watch');
    return context.text(await parts.metrics());
  });
  addSignIn(app, parts);
  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      const device = await gatekeeper.identify((name) => context.req.header(name));
      const answer = await route.serve({
        device,
        params: context.req.param(),
        query: context.req.query(),
        body: route.method === 'get' || route.method === 'delete' ? undefined : await bodyOf(context),
      });
      return answerWith(context, route.status, answer);
    });
  }
  app.get('/api/openapi.json', async (context) => {
    await gatekeeper.identify((name) => context.req.header(name));
    return context.json(openApiOf(routes));
  });
  app.notFound(() => {
    throw new RouteNotFoundError();
  });
  app.onError((error, context) => {
    const problem = problemOf(error);
    if (problem.status === 500) log(error);
    if (error instanceof SignInLimitError) context.header('retry-after', String(error.retryAfterS));
    return new Response(JSON.stringify(problem), {
      status: problem.status,
      headers: { 'content-type': 'application/problem+json', ...Object.fromEntries(context.res.headers) },
    });
  });
  return app;
}

function addSignIn(app: Hono<Env>, { store, gatekeeper, limit, isSecure, signOut }: AppParts): void {
  const enter = async (context: Context<Env>, link: string): Promise<void> => {
    const address = context.env.incoming.socket.remoteAddress ?? '';
    limit.check(address);
    const admission = await store.devices.redeemLink(link);
    if (!admission) {
      limit.noteFailure(address);
      throw new SignInLinkError();
    }
    setCookie(context, gatekeeper.cookie, admission.token, {
      httpOnly: true,
      sameSite: 'Strict',
      secure: isSecure,
      path: '/',
      maxAge: COOKIE_LIFETIME_S,
    });
  };
  app.get('/sign-in', async (context) => {
    const link = context.req.query('token');
    if (link !== undefined) {
      await enter(context, link);
      return context.redirect('/', 303);
    }
    context.header('content-security-policy', SIGN_IN_PAGE_POLICY);
    return context.html(SIGN_IN_PAGE);
  });
  app.post('/api/sign-in', async (context) => {
    const { link } = checked('the body', signIn, await bodyOf(context));
    await enter(context, link);
    return context.json({ ok: true });
  });
  app.post('/api/sign-out', async (context) => {
    const device = await gatekeeper.identify((name) => context.req.header(name));
    await signOut(device);
    deleteCookie(context, gatekeeper.cookie, { path: '/' });
    return context.json({ ok: true });
  });
}

async function bodyOf(context: Context<Env>): Promise<unknown> {
  try {
    return await context.req.json();
  } catch (error) {
    if (error instanceof BodyTooLongError) throw error;
    throw new RequestInvalidError('the body is not JSON');
  }
}

function answerWith(context: Context<Env>, status: 200 | 201, answer: unknown): Response {
  if (!(answer instanceof Uint8Array)) return context.body(JSON.stringify(answer), status, JSON_TYPE);
  return context.body(new Uint8Array(answer), status, JSON_TYPE);
}

const JSON_TYPE = { 'content-type': 'application/json' };
