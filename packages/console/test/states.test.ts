import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('how a session is', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO266][CO272] a script costs nothing and is called one; a mode that is refused is said in plain words, with room', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: { width: 375, height: 667 } });
    const { page } = stage;
    await stage.startSession();
    await stage.transcript.getByText('scripted', { exact: false }).first().waitFor();
    expect(await stage.transcript.locator('.turn-end').first().textContent()).toMatch(/ s · scripted$/);
    expect(await page.locator('.status-line').textContent()).toContain('built-in scripted model');

    const mode = page.getByLabel('Permission mode');
    await mode.selectOption('bypassPermissions');
    const refusal = page.getByRole('alert').filter({ hasText: 'has to be started so' });
    await refusal.waitFor();
    expect(await refusal.textContent()).not.toContain('dangerously');
    const box = await refusal.boundingBox();
    expect(box?.width).toBeGreaterThan(250);
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(375);
    expect(await mode.inputValue()).toBe('default');
    await stage.click('Dismiss');
    await refusal.waitFor({ state: 'detached' });

    // The folder of a script is no place to work in.
    await page.getByRole('button', { name: 'Sessions' }).click();
    await stage.click('New session');
    expect(await page.getByLabel('Folder').inputValue()).toBe('');
  });

  it('[CO270][CO275] an agent without a key is not ready: it is said in the list, at its title, and what to do', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const folder = join(stage.home, 'work');
    mkdirSync(folder);
    const launch = { agent: 'signalbox-agent', folder, prompt: 'hello' };
    const { body } = await call(hub.url, hub.token, 'POST', '/api/sessions', { launch });
    await page.goto(`${hub.url}/sessions/${body.session.id}`);
    await page.getByRole('alert').filter({ hasText: 'ANTHROPIC_API_KEY' }).waitFor();
    for (const once of [
      page.getByRole('main').getByRole('img', { name: 'cannot work' }),
      page.getByRole('navigation').getByText('cannot work'),
      stage.transcript.getByText('No credentials'),
    ]) {
      await once.first().waitFor();
      expect(await once.count()).toBe(1);
    }
    await stage.click('Dismiss');
    await page.reload();
    await page.getByRole('navigation').getByText('cannot work').waitFor();
    await stage.chooseInMenu('End the agent …');
    await stage.click('End');
    await stage.reads('ended the agent');
    await page.getByRole('navigation').getByText('ended', { exact: false }).waitFor();
    rmSync(folder, { recursive: true });
    await stage.click('Start again');
    const refusal = page.getByRole('alert').filter({ hasText: 'is no folder' });
    expect((await refusal.boundingBox())?.width).toBeGreaterThan(500);
    await stage.click('Dismiss');
    await refusal.waitFor({ state: 'detached' });
  });
});
