import { once } from 'node:events';
import { createServer } from 'node:http';
import { BROWSER_BEARER } from '@signalbox/protocol/hub';
import { call } from '@signalbox/testing/hub/test-parts';
import { type Browser, type Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('a browser that is signed in', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it("[CO50] gives nothing away to a server on another port of the hub's host, and lets its pages do nothing", async () => {
    const { page, hub } = await ConsoleStage.open(browser);
    await page.getByText('No sessions yet').waitFor();
    const stranger = await startStranger(new URL(hub.url).hostname);
    await page.goto(stranger.url);
    const cookie = stranger.cookies().find((got) => got.startsWith('signalbox-'));
    // The browser sends it: this is the reason for all this.
    expect(cookie).toBeDefined();
    const part = cookie?.split('=')[1] ?? '';
    for (const headers of [
      { cookie: cookie ?? '' },
      { authorization: `Bearer ${part}` },
      { cookie: cookie ?? '', authorization: `Bearer ${part}` },
    ])
      expect((await fetch(`${hub.url}/api/me`, { headers })).status).toBe(401);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    const attempts = await attemptsOf(page, hub.url);
    expect(attempts).toEqual({ reading: 'failed', writing: 'opaque', socket: 'closed' });
    await page.goto(hub.url);
    await page.getByText('No sessions yet').waitFor();
  });

  it('[CO51][CO262] is signed out by its button after a question, in all tabs, and without what its page keeps', async () => {
    const { page, hub } = await ConsoleStage.open(browser);
    await page.getByText('No sessions yet').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(hub.url);
    await tab.getByText('No sessions yet').waitFor();
    const leave = page.getByRole('button', { name: 'Sign out' });
    await leave.click();
    await page.getByText('npx signalbox link').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tab.reload();
    await tab.getByText('No sessions yet').waitFor();
    await leave.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out').waitFor();
    await tab.getByText('Signed out').waitFor();
    expect(await page.evaluate(`localStorage.getItem('${BROWSER_BEARER}')`)).toBeNull();
    expect(await page.context().cookies()).toEqual([]);

    const other = await ConsoleStage.open(browser);
    await other.page.getByText('No sessions yet').waitFor();
    await other.page.evaluate('localStorage.clear()');
    await other.page.reload();
    await other.page.getByText('Signed out').waitFor();
  });

  it('[CO52] sees a session leave the list when somebody removes it', async () => {
    const { page, hub } = await ConsoleStage.open(browser);
    await page.getByText('No sessions yet').waitFor();
    const place = { id: 's', title: 'not for long' };
    await call(hub.url, hub.token, 'POST', '/api/sessions', place);
    const row = page.getByRole('link', { name: place.title });
    await row.waitFor();
    await call(hub.url, hub.token, 'DELETE', '/api/sessions/s');
    await row.waitFor({ state: 'detached' });
  });
});

/** What a person opens beside the hub, for example what an agent has built: it notes the cookies that it gets. */
async function startStranger(host: string): Promise<{ url: string; cookies: () => string[] }> {
  const cookies: string[] = [];
  const server = createServer((request, response) => {
    cookies.push(...(request.headers.cookie ?? '').split('; '));
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page of its own</title>');
  });
  await once(server.listen(0, host), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    url: `http://${host}:${typeof address === 'object' ? address?.port : ''}/`,
    cookies: () => cookies,
  };
}

/** What a page can try against the hub: to read, to write without being asked first, and to open a socket. */
async function attemptsOf(page: Page, hub: string): Promise<Record<string, string>> {
  return page.evaluate(async (url) => {
    const reading = await fetch(`${url}/api/me`, { credentials: 'include' }).then(
      (answer) => String(answer.status),
      () => 'failed',
    );
    const body = JSON.stringify({ id: 'made-by-a-stranger' });
    const writing = await fetch(`${url}/api/sessions`, {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      body,
    }).then(({ type }) => type);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/stream`);
    const outcome = await new Promise<string>((resolve) => {
      socket.addEventListener('open', () => resolve('open'));
      socket.addEventListener('close', () => resolve('closed'));
    });
    return { reading, writing, socket: outcome };
  }, hub);
}
