import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { sharedBrowser } from './console-stage.ts';
import { showRecord } from './show-record.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('the palette', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2041][CO3860] does everything by keys alone: sessions, tabs, dialogs, pages, the search in everything said', async () => {
    const { page, store } = await showRecord(browser, { title: 'The first' });
    await store.sessions.create('p', { title: 'Payments', state: 'exited', folder: '/srv/p' });
    await page.reload();
    await page.getByRole('navigation').getByText('Payments').waitFor();
    const palette = page.getByRole('dialog', { name: 'Commands and sessions' });
    const first = palette.getByRole('option').first();
    const open = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').waitFor();
      await page.keyboard.type(words);
    };
    const take = async (words: string, title: string): Promise<void> => {
      await open(words);
      await first.filter({ hasText: title }).waitFor();
      await page.keyboard.press('Enter');
      await palette.waitFor({ state: 'detached' });
    };
    await take('ren', 'Rename …');
    const title = page.getByRole('dialog').getByRole('textbox');
    await title.waitFor();
    await page.keyboard.press('Escape');
    await title.waitFor({ state: 'detached' });
    await take('changes', 'Changes');
    expect(await page.getByRole('tab', { name: 'Changes' }).getAttribute('aria-selected')).toBe('true');
    await take('pay', 'Payments');
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await open('ru');
    await first.filter({ hasText: 'Rules' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // The last one is always the search; up from the first leads there.
    await page.keyboard.press('ArrowUp');
    await palette.getByRole('option', { name: 'Search “ru”', selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
    // [CO3860] Of a session that is not there yet.
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.routeWebSocket('**/api/stream', (socket) => {
      socket.connectToServer().onMessage(async (message) => {
        await released;
        socket.send(message);
      });
    });
    await store.sessions.create('q', { title: 'Never seen', state: 'exited', folder: '/srv/q' });
    await page.goto(new URL('/sessions/q', page.url()).href);
    await page.getByRole('navigation').getByText('The first').waitFor();
    await open('changes');
    await palette.getByRole('option', { name: 'Search “changes”' }).waitFor();
    release();
    await first.filter({ hasText: /^Changes/ }).waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await open('');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });
});
