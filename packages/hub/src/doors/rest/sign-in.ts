import { LIMITS } from '@signalbox/protocol';
import { PLAIN_ROUTES } from '@signalbox/protocol/hub/routes';
import { SignInLinkError } from '../../auth/auth-errors.ts';
import { splitToken } from '../../auth/browser-token.ts';
import type { Gatekeeper } from '../../auth/gatekeeper.ts';
import type { SignInLimit } from '../../auth/sign-in-limit.ts';
import { SIGN_IN_PAGE, SIGN_IN_PAGE_POLICY } from '../../auth/sign-in-page.ts';
import type { Log } from '../../base/log.ts';
import type { Admission, Device } from '../../store/device.ts';
import { checked } from '../http/checked.ts';
import { addressOf } from '../http/client-address.ts';
import type { Router } from '../http/router.ts';
import { bodyIn } from './request.ts';

/** How long a browser stays signed in. */
const COOKIE_LIFETIME_S = 90 * 24 * 60 * 60;

const HTML = 'text/html; charset=utf-8';

/** What signing in works with. */
export interface SignInParts {
  gatekeeper: Gatekeeper;
  limit: SignInLimit;
  /** Whether browsers reach the hub by TLS. */
  isSecure: boolean;
  /** Whether what is in front of the hub says whose request it passes on. */
  isProxied: boolean;
  /** Brings a device in by its link; nothing when the link is no good. */
  signIn: (link: string) => Promise<Admission | undefined>;
  /** Signs a device out for good. */
  signOut: (device: Device) => Promise<unknown>;
  log: Log;
}

/** The page behind a sign-in link, and what it calls. */
export function addSignIn(
  router: Router,
  { gatekeeper, limit, isSecure, isProxied, signIn, signOut, log }: SignInParts,
): void {
  const cookie = (value: string, lifetimeS: number) => ({
    'set-cookie': `${gatekeeper.cookie}=${value}; Max-Age=${lifetimeS}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  });
  router.on('GET', '/sign-in', (exchange) => {
    const { token: link } = exchange.query;
    if (link === undefined)
      return exchange.answer(200, HTML, SIGN_IN_PAGE, { 'content-security-policy': SIGN_IN_PAGE_POLICY });
    // It is the page that signs in: whatever else opens addresses, as previews of links do, must not use the link up.
    return exchange.answer(303, HTML, '', { location: `/sign-in#${encodeURIComponent(link)}` });
  });
  router.on('POST', '/api/sign-in', async (exchange) => {
    const address = addressOf(exchange, isProxied);
    const { link } = checked(
      'the body',
      PLAIN_ROUTES['POST /api/sign-in'].body,
      (await bodyIn(exchange, LIMITS.signInBodyBytes, 'anybody')).value,
    );
    const admission = await signIn(link);
    // A good link works, whatever anybody else has tried: links are too long to be guessed.
    if (!admission) {
      limit.fail(address);
      log.warn('sign-in failed', { address });
      throw new SignInLinkError();
    }
    const { device, token } = admission;
    log.info('signed in', { device: device.id, person: device.person, address });
    const parts = splitToken(token);
    exchange.json(200, { bearer: parts.bearer }, cookie(parts.cookie, COOKIE_LIFETIME_S));
  });
  router.on('POST', '/api/sign-out', async (exchange) => {
    await signOut(await gatekeeper.identify(exchange.header));
    exchange.json(200, { ok: true }, cookie('', 0));
  });
}
