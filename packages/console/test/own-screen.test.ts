import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { hasRow, shows, type } from './terminal-page.ts';

const AGENTS = {
  'my-screen': {
    title: 'My screen',
    command: ['sh', '-c', 'printf "word> "; read word; echo got-$word; exit 4'],
    mode: 'terminal',
  },
};

describe.runIf(hasProgram('chromium-headless-shell'))('an agent with nothing but its own screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1814] is started from the dialog, is its terminal from the start, and is started again when it has ended', async () => {
    const stage = await ConsoleStage.open(browser, {}, { config: { agents: AGENTS } });
    const { page, home } = stage;
    onTestFinished(() => endTerminals(home));
    await page.getByRole('button', { name: 'New session' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Agent').selectOption('my-screen');
    await dialog.getByText('This agent has only its own screen').waitFor();
    expect(await dialog.getByLabel('First prompt').count()).toBe(0);
    expect(await dialog.locator('[name=model]').count()).toBe(0);
    await dialog.getByLabel('Folder').fill('~');
    for (const [width, height] of [
      [375, 667],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await violationsOn(page)).toEqual([]);
    }
    await stage.click('Start');
    await shows(page, 'word>');
    await page.getByText('The agent, on its own screen.').waitFor();
    expect(await page.getByRole('button', { name: 'Back', exact: true }).count()).toBe(0);
    await type(page, 'tree\n');
    await shows(page, 'got-tree');
    await page.getByText('The agent has ended.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await stage.click('Start again');
    await hasRow(page, 'word>');
    await page.getByText('The agent, on its own screen.').waitFor();
    await page.setViewportSize({ width: 375, height: 667 });
    expect(await violationsOn(page)).toEqual([]);
    await type(page, 'leaf\n');
    await shows(page, 'got-leaf');
  });
});
