import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { call, startTestHub, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SignInLimitError } from '../../src/auth/auth-errors.ts';
import { OpenSockets } from '../../src/auth/open-sockets.ts';
import { SignInLimit } from '../../src/auth/sign-in-limit.ts';

const DAY_MS = 24 * 60 * 60_000;

/** As if somebody set the clock of the machine: timers go on as they were. */
function setClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
  onTestFinished(() => void vi.useRealTimers());
}

function refusalOf(work: () => void): SignInLimitError {
  try {
    work();
  } catch (error) {
    if (error instanceof SignInLimitError) return error;
  }
  throw new Error('it was not refused');
}

describe('a clock that is set', () => {
  it('[HB345] back makes nobody wait longer who tried wrong links', () => {
    const limit = new SignInLimit();
    for (let n = 0; n < 10; n += 1) limit.fail('here');
    setClock(-3 * DAY_MS);
    const { retryAfterS } = refusalOf(() => limit.fail('here'));
    expect([retryAfterS > 0, retryAfterS <= 60]).toEqual([true, true]);
  });

  it('[HB346] forward ends what is held by a token that has expired by then', async () => {
    const sockets = new OpenSockets({ lookMs: 20 });
    const socket = new PassThrough();
    sockets.add({ id: 'd', expiresAt: Date.now() + DAY_MS }, socket);
    const closed = once(socket, 'close');
    setClock(2 * DAY_MS);
    await closed;
  });

  it('[HB346] back does not keep it open for longer', async () => {
    const sockets = new OpenSockets();
    const socket = new PassThrough();
    sockets.add({ id: 'd', expiresAt: Date.now() + 200 }, socket);
    const closed = once(socket, 'close');
    setClock(-DAY_MS);
    await closed;
  });
});

describe('a token that ends', () => {
  it('[HB13] is remembered for those who are on their way in, and for nobody else', async () => {
    const sockets = new OpenSockets();
    const [late, later] = [new PassThrough(), new PassThrough()];
    await sockets.entering(async () => {
      sockets.cut('d');
      sockets.add({ id: 'd', expiresAt: null }, late);
    });
    sockets.add({ id: 'd', expiresAt: null }, later);
    expect([late.destroyed, later.destroyed]).toEqual([true, false]);
  });

  it('[HB347] lets nobody in who stays longer', async () => {
    const { hub, store } = await startTestHub();
    const expiresAt = Date.now() + DAY_MS;
    const token = await tokenFor(store, { expiresAt });
    const add = async (more: object): Promise<number> =>
      (
        await call(hub.url, token, 'POST', '/api/devices', {
          person: 'P',
          name: 'n',
          scope: 'watch',
          ...more,
        })
      ).body.device.expiresAt;
    expect(await add({})).toBe(expiresAt);
    expect(await add({ expiresAt: expiresAt + 1 })).toBe(expiresAt);
    expect(await add({ expiresAt: expiresAt - 1 })).toBe(expiresAt - 1);
    const { body } = await call(hub.url, token, 'POST', '/api/sign-in-links', {});
    await call(hub.url, '', 'POST', '/api/sign-in', { link: body.path.split('#')[1] });
    const browser = (await store.devices.list()).items.at(-1);
    expect(browser).toMatchObject({ name: 'browser', expiresAt });
    // Whoever was signed out leaves no way back.
    const other = await call(hub.url, token, 'POST', '/api/sign-in-links', {});
    await call(hub.url, token, 'POST', '/api/sign-out', {});
    const late = await call(hub.url, '', 'POST', '/api/sign-in', { link: other.body.path.split('#')[1] });
    expect(late.status).toBe(401);
  });
});
