import type { Context, Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { SignInLinkError } from '../auth/auth-errors.ts';
import type { Gatekeeper } from '../auth/gatekeeper.ts';
import type { SignInLimit } from '../auth/sign-in-limit.ts';
import { SIGN_IN_PAGE, SIGN_IN_PAGE_POLICY } from '../auth/sign-in-page.ts';
import type { Log } from '../log/log.ts';
import type { Device, Devices } from '../store/device.ts';
import { bodyIn, type Env, headersOf } from './request.ts';
import { checked } from './route.ts';

/** How long a browser stays signed in. */
const COOKIE_LIFETIME_S = 90 * 24 * 60 * 60;

const signIn = z.strictObject({ link: z.string().min(1).max(1000) });

/** What signing in works with. */
export interface SignInParts {
  devices: Devices;
  gatekeeper: Gatekeeper;
  limit: SignInLimit;
  /** Whether browsers reach the hub by TLS. */
  isSecure: boolean;
  /** Whether what is in front of the hub says whose request it passes on. */
  isProxied: boolean;
  /** Signs a device out for good. */
  signOut: (device: Device) => Promise<unknown>;
  log: Log;
}

/** The page behind a sign-in link, and what it calls. */
export function addSignIn(app: Hono<Env>, parts: SignInParts): void {
  const { devices, gatekeeper, limit, isSecure, isProxied, signOut, log } = parts;
  const enter = async (context: Context<Env>, link: string): Promise<void> => {
    const address = addressOf(context, isProxied);
    limit.check(address);
    const admission = await devices.redeemLink(link);
    if (!admission) {
      limit.noteFailure(address);
      log.warn('sign-in failed', { address });
      throw new SignInLinkError();
    }
    log.info('signed in', { device: admission.device.id, person: admission.device.person, address });
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
    const { link } = checked('the body', signIn, (await bodyIn(context)).value);
    await enter(context, link);
    return context.json({ ok: true });
  });
  app.post('/api/sign-out', async (context) => {
    await signOut(await gatekeeper.identify(headersOf(context)));
    deleteCookie(context, gatekeeper.cookie, { path: '/' });
    return context.json({ ok: true });
  });
}

/** Of those that a request passed, the proxy in front of the hub has added the last; the others anybody may have made up. */
function addressOf(context: Context<Env>, isProxied: boolean): string {
  const forwarded = isProxied ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded ?? context.env.incoming.socket.remoteAddress ?? '';
}
