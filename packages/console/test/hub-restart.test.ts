import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, launchBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium'))('a hub that is killed', { timeout: 180_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  it('[CO34] in the middle of an answer: it is completed after the restart, with no word twice', async () => {
    const stage = await ConsoleStage.open(browser);
    await stage.launchPuppet();
    await stage.say('slow 600');
    await stage.reads('w5 ');
    expect(await stage.transcript.getByText('w599').count()).toBe(0);
    await stage.restartHub();
    await stage.reads('w599');
    await stage.isIdle();
    const words = (await stage.transcript.locator('.reply').textContent())?.trim().split(' ');
    expect(words).toEqual(Array.from({ length: 600 }, (_, index) => `w${index}`));
  });

  it('[CO34] keeps what was sent meanwhile, and delivers it once', async () => {
    const stage = await ConsoleStage.open(browser);
    await stage.launchPuppet();
    await stage.restartHub(() => stage.say('say good morning'));
    await stage.reads('good morning');
    await stage.isIdle();
    expect(await stage.transcript.locator('.prompt').count()).toBe(1);
    expect(await stage.transcript.locator('.reply').allTextContents()).toEqual(['good morning']);
  });
});
