import { sampleSession } from '@signalbox/testing/hub/sample-session';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { findSessions, isFoundByPrompt } from '../src/model/find-sessions.ts';
import { sharedBrowser } from './console-stage.ts';
import { showRecord } from './show-record.ts';

describe('finding a session', () => {
  const café = sampleSession({ id: 'a', title: 'Menü des Cafés', folder: '/srv/café' });
  const shop = sampleSession({
    id: 'b',
    title: 'Payments',
    folder: '/srv/shop-api',
    lastPrompt: 'why is Stripe refusing cards?',
    state: 'asking',
  });
  const ids = (words: string): string[] => findSessions([café, shop], words).map(({ id }) => id);

  it('[CO813] goes by title, folder, last prompt and state, each word for itself, whatever its case and accents', () => {
    expect(ids('')).toEqual(['a', 'b']);
    expect(ids('  ')).toEqual(['a', 'b']);
    expect(ids('SRV')).toEqual(['a', 'b']);
    expect(ids('menu cafe')).toEqual(['a']);
    expect(ids('shop payments')).toEqual(['b']);
    expect(ids('stripe')).toEqual(['b']);
    expect(ids('asks')).toEqual(['b']);
    expect(ids('stripe cafe')).toEqual([]);
  });

  it('[CO813] tells which were found by what was said to them', () => {
    expect(isFoundByPrompt(shop, 'stripe')).toBe(true);
    expect(isFoundByPrompt(shop, 'payments')).toBe(false);
    expect(isFoundByPrompt(shop, '')).toBe(false);
    expect(isFoundByPrompt(café, 'stripe')).toBe(false);
  });
});

describe.runIf(hasProgram('chromium-headless-shell'))('the search of the list', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO813] is there when sessions are many, works by keys alone, and on a phone in the drawer', async () => {
    const { page, store } = await showRecord(browser, { title: 'The first' });
    const field = page.getByLabel('Find a session');
    expect(await field.count()).toBe(0);
    for (const [id, title] of Object.entries({
      p: 'Payments',
      c: 'Changelog',
      d: 'Docs',
      t: 'Tests',
      f: 'Fonts',
    }))
      await store.sessions.create(id, { title, state: 'exited', folder: `/srv/${id}` });
    await store.sessions.update('d', { lastPrompt: 'explain the retry queue' });
    await page.reload();
    await field.waitFor();
    // Beside them is the way to the search in everything said.
    const rows = page.getByRole('navigation').getByRole('link').and(page.locator('.list-row'));
    // Typing goes before drawing the list.
    const shown = (count: number) => expect.poll(() => rows.count()).toBe(count);
    await shown(6);
    await field.focus();
    await page.keyboard.type('nothing like it');
    await page.getByText('No session has “nothing like it”').waitFor();
    await page.keyboard.press('Escape');
    await shown(6);
    await page.keyboard.type('retry');
    // Why it was found is to be seen.
    await rows.filter({ hasText: 'Docs' }).getByText('explain the retry queue').waitFor();
    await shown(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Docs' }).waitFor();
    await shown(6);

    await page.setViewportSize({ width: 375, height: 667 });
    await page.getByRole('button', { name: 'Sessions' }).click();
    await field.fill('pay');
    await shown(1);
    await rows.first().click();
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await field.waitFor({ state: 'hidden' });
  });
});
