import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, answered, call, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

/** More than a page keeps. */
const ENTRIES = 12_000;

/** How many entries a turn has. */
const TURN = 100;

describe.runIf(hasProgram('chromium-headless-shell'))('a long record', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2036][CO3853] is gone through from end to end by its scroll bar, what is not here is folded by turn, there are few rows on the page, and what was opened stays open', async () => {
    const { page, store, session } = await showRecord(browser, {});
    const log = page.getByRole('log');
    const linesOf = (...all: unknown[]) => all.map((line) => ({ bytes: Buffer.from(JSON.stringify(line)) }));
    const beginning = linesOf(
      said(call('t1', 'Bash', { command: 'make' }), 'first'),
      answered('t1', 'all that it printed\nline 2\nline 3\nline 4'),
    );
    const turns = Array.from({ length: ENTRIES / TURN }, (_, turn) => {
      const at = (index: number): string => `Entry ${turn * TURN + index} of the record`;
      const replies = Array.from({ length: TURN - 1 }, (__, index) =>
        said(text(at(index + 1)), at(index + 1)),
      );
      return [
        { session, author: ADA, lines: linesOf(prompt(at(0))) },
        { session, author: AGENT, lines: linesOf(...replies) },
      ];
    });
    await store.commit({ appends: [{ session, author: AGENT, lines: beginning }, ...turns.flat()] });
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
    // Nothing is read meanwhile: what is not here says what it is.
    let letThrough = (): void => {};
    const isLetThrough = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/events?*', async (route) => {
      await isLetThrough;
      await route.continue();
    });
    await scrollTo(0.5);
    const fold = log.getByRole('button', { name: /^Entry 5900 .* 1 turn · 100 entries · \d/ });
    await fold.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await fold.click();
    letThrough();
    await log.locator('.linked', { hasText: 'Entry 5900 ' }).waitFor();
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
