import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { sharedBrowser } from './console-stage.ts';
import { AGENT, answered, call, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

/** More than a page keeps. */
const ENTRIES = 12_000;

describe.runIf(hasProgram('chromium-headless-shell'))('a long record', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2036] is gone through from end to end by its scroll bar, with few rows on the page, and what was opened stays open', async () => {
    const { page, store, session } = await showRecord(browser, {});
    const log = page.getByRole('log');
    const lines = [
      said(call('t1', 'Bash', { command: 'make' }), 'first'),
      answered('t1', 'all that it printed\nline 2\nline 3\nline 4'),
      ...Array.from({ length: ENTRIES }, (_, index) =>
        said(text(`Entry ${index} of the record`), `m${index}`),
      ),
    ].map((line) => ({ bytes: Buffer.from(JSON.stringify(line)) }));
    await store.commit({ appends: [{ session, author: AGENT, lines }] });
    await page.reload();
    await log.getByText(`Entry ${ENTRIES - 1} `).waitFor();
    const scrollTo = (part: number): Promise<void> =>
      log.evaluate((box, to) => box.scrollTo(0, box.scrollHeight * to), part);
    const entriesInSight = (): Promise<number[]> =>
      log.evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        return [...box.querySelectorAll('.slot')]
          .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().y < bottom)
          .map((row) => Number(/Entry (\d+)/.exec(row.textContent)?.[1]));
      });
    for (const part of [0.5, 0.2, 0.8]) {
      await scrollTo(part);
      await until(async () => {
        const [first] = await entriesInSight();
        return first !== undefined && Math.abs(first / ENTRIES - part) < 0.1;
      });
      expect(await log.locator('.slot').count()).toBeLessThan(200);
    }
    await log.press('Home');
    const opener = log.getByRole('button', { name: 'Bash make' });
    await opener.click();
    await log.getByText('all that it printed').waitFor();
    await scrollTo(0.1);
    await until(async () => (await opener.count()) === 0);
    await log.press('Home');
    await log.getByText('all that it printed').waitFor();
    await log.press('End');
    await log.getByText(`Entry ${ENTRIES - 1} `).waitFor();
  });

  it('[CO2043] is searched by Ctrl+F, from its newest place to its oldest, also where the page does not hold it', async () => {
    const { page, store, session } = await showRecord(browser, {});
    const log = page.getByRole('log');
    const words = (index: number): string => (index === 40 || index === 1900 ? 'a striped zebra' : 'nothing');
    const lines = Array.from({ length: 2000 }, (_, index) =>
      said(text(`Entry ${index} has ${words(index)}`), `m${index}`),
    ).map((line) => ({ bytes: Buffer.from(JSON.stringify(line)) }));
    await store.commit({ appends: [{ session, author: AGENT, lines }] });
    await page.reload();
    await log.getByText('Entry 1999 ').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zebra');
    await page.getByText('1 of 2').waitFor();
    await log.locator('.linked', { hasText: 'Entry 1900 ' }).waitFor();
    expect(await page.evaluate("[...CSS.highlights.get('found-words')].map(String)")).toEqual(['zebra']);
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2').waitFor();
    await log.locator('.linked', { hasText: 'Entry 40 ' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await log.locator('.linked', { hasText: 'Entry 1900 ' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Find in this session').waitFor({ state: 'detached' });
    expect(await page.evaluate("CSS.highlights.has('found-words')")).toBe(false);
  });
});
