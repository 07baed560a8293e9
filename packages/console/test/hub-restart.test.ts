import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('a hub that is killed', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

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

  it('[CO493] in the middle of an answer: what was said before stays on the page while it goes on', async () => {
    const stage = await ConsoleStage.open(browser);
    await stage.launchPuppet();
    await stage.turn('say something before');
    await stage.say('slow 5000');
    await stage.reads('w5 ');
    const words = async (): Promise<string> =>
      (await stage.transcript.locator('.reply').last().textContent()) ?? '';
    const before = (await words()).length;
    await stage.restartHub();
    await stage.page.getByText('Connection lost').waitFor({ state: 'hidden' });
    // Of the answer what comes next is seen as it comes, and nothing of what was there is gone meanwhile.
    await until(async () => (await words()).length > before + 200);
    expect(await stage.transcript.getByText('something before').count()).toBe(2);
    expect(await stage.transcript.getByText('Nothing has been said').count()).toBe(0);
    await stage.click('Interrupt');
    await stage.isIdle();
  });

  it('[CO622] or ended by Ctrl-C in the middle of an answer: its words are there again before it is complete', async () => {
    const stage = await ConsoleStage.open(browser);
    await stage.launchPuppet();
    await stage.say('slow 5000');
    await stage.reads('w5 ');
    await stage.endAndStartHub();
    await stage.page.getByText('Connection lost').waitFor({ state: 'hidden' });
    await stage.reads('w5 ');
    expect(await stage.transcript.getByText('w4999').count()).toBe(0);
    await stage.click('Interrupt');
    await stage.isIdle();
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
