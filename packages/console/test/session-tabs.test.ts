import { TestAgent } from '@signalbox/testing/hub/test-agent';
import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('the tabs of a session', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO3692] are kept for each session, over a reload as well; who comes to one that asks sees the question', async () => {
    const { page, hub } = await ConsoleStage.open(browser);
    const [agent] = await Promise.all(
      ['one', 'two'].map((id) => TestAgent.dial(`${hub.url}/ws/${id}`, hub.token)),
    );
    const tab = (name: string): Locator => page.getByRole('tab', { name, selected: true });
    await page.goto(`${hub.url}/sessions/one`);
    await page.getByRole('tab', { name: 'Details' }).click();
    await tab('Details').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'two' }).click();
    await tab('Agent').waitFor();
    await page.goBack();
    await tab('Details').waitFor();
    await page.reload();
    await tab('Details').waitFor();
    await agent?.ask('r1');
    // It stays where somebody looks.
    await page.getByRole('tab', { name: 'Agent 1' }).waitFor();
    expect(await tab('Details').count()).toBe(1);
    await page.reload();
    await tab('Agent').waitFor();
    await page.getByRole('article').waitFor();
  });
});
