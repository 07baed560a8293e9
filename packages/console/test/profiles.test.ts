import { call } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('how an agent is launched', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1974] New session offers the profiles by name, and when the agent is started again; no value is on the page', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const secret = 'sk-not-for-the-page';
    await call(hub.url, hub.token, 'POST', '/api/profiles', { name: 'work', variables: { KEY: secret } });
    // Signed in, or the way there would be cut off.
    await page.getByText('No sessions yet').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'New session' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByLabel('Agent').selectOption('scripted');
    await dialog.getByLabel('Folder').fill('~');
    await dialog.getByLabel('Profile').selectOption('work');
    await dialog.getByLabel('Start it again').selectOption('on-failure');
    expect(await dialog.getByLabel('Profile').textContent()).toContain('work (KEY)');
    expect(await page.content()).not.toContain(secret);
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/sessions\//);
    const { body } = await call(hub.url, hub.token, 'GET', '/api/sessions');
    expect(body.items[0].restart).toMatchObject({ policy: 'on-failure', state: 'watching' });
    const { body: log } = await call(hub.url, hub.token, 'GET', '/api/audit');
    expect(log.items.find(({ what }: { what: string }) => what === 'launch').subject).toBe(
      'scripted, profile work',
    );
    await call(hub.url, hub.token, 'POST', `/api/sessions/${body.items[0].id}/stop`, {});
  });
});
