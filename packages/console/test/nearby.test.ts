import { ForeignRelay } from '@signalbox/testing/foreign-relay';
import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('relays nearby', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1598] are found by the hub for a page of admin, which takes part in one: prompts and answers reach its agent', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const relay = await ForeignRelay.start();
    await stage.click('Look for relays nearby');
    const row = page.getByRole('listitem').filter({ hasText: `ws://127.0.0.1:${relay.port}` });
    await row.getByRole('button', { name: 'Take part in theirs' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await row.getByRole('button', { name: 'Take part in theirs' }).click();
    await page.getByRole('heading', { name: `theirs at 127.0.0.1:${relay.port}` }).waitFor();
    await stage.say('hello there');
    const card = page.getByRole('article', { name: 'Allow Bash?' });
    await until(async () => await card.getByRole('button', { name: 'Allow', exact: true }).isEnabled());
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await stage.isIdle();
    expect(relay.heard.find(({ type }) => type === 'user')).toMatchObject({
      message: { content: 'hello there' },
      session_id: 'theirs',
    });
    await until(() =>
      relay.heard.some(
        ({ type, response }) => type === 'control_response' && response.response.behavior === 'allow',
      ),
    );
    // No token goes to a stranger, and nobody but admin learns what runs on the machine.
    for (const headers of relay.headers) expect(headers.authorization ?? headers.cookie).toBeUndefined();
    const grant = { person: 'Ada', name: 'phone', scope: 'drive' };
    const { body } = await call(hub.url, hub.token, 'POST', '/api/devices', grant);
    expect((await call(hub.url, body.token, 'GET', '/api/nearby')).status).toBe(403);
    expect((await call(hub.url, body.token, 'POST', '/api/nearby', { port: relay.port })).status).toBe(403);
    expect((await call(hub.url, hub.token, 'POST', '/api/nearby', { port: 22 })).status).toBe(400);
  });
});
