import { SCRIPTED_AGENT } from '@signalbox/protocol/hub';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { sharedBrowser } from './console-stage.ts';
import { ADA, prompt } from './sample.ts';
import { showRecord } from './show-record.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('a dialog', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO261] begins where one types, or at the harmless answer, and gives the focus back', async () => {
    const { page } = await showRecord(browser, { lines: [[ADA, prompt('go')]] });
    const open = async (name: string): Promise<void> => {
      if (name !== 'New session') await page.getByRole('button', { name: 'Session menu' }).click();
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('dialog').waitFor();
    };
    const leave = async (): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };

    await open('New session');
    expect(await focused(page)).toBe('folder');
    await leave();
    expect(await focused(page)).toBe('New session');
    await open('Rename …');
    expect(await focused(page)).toBe('title');
    await leave();
    expect(await focused(page)).toBe('Session menu');
    for (const question of ['End the agent …', 'Remove …']) {
      await open(question);
      expect(await focused(page)).toBe('Cancel');
      await leave();
    }
  });

  it('[CO815] offers the folders of other sessions, those of scripts left out', async () => {
    const { page, store } = await showRecord(browser, { lines: [[ADA, prompt('go')]] });
    await store.sessions.create('a', { folder: '/srv/shop', agent: 'claude' });
    await store.sessions.create('b', { folder: '/srv/shop', agent: 'claude' });
    await store.sessions.create('c', { folder: '/srv/welcome', agent: SCRIPTED_AGENT });
    await page.reload();
    await page.getByRole('navigation').getByRole('link').nth(3).waitFor();
    await page.getByRole('button', { name: 'New session' }).click();
    const places = page.getByRole('listbox', { name: 'Places' });
    await places.getByText('/srv/shop').waitFor();
    const offered = await places.locator('bdi').allTextContents();
    expect(offered).toEqual(['/srv/shop']);
  });
});

/** The field or the button that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    `(({ name, ariaLabel, textContent }) => name || ariaLabel || textContent.trim())(document.activeElement)`,
  );
}
