import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, answered, call, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';
import { wideParts } from './wide-parts.ts';

const LINES = [
  [ADA, prompt('מה חדש בפרויקט?')],
  [AGENT, said(text('שלום. Here is a list:\n\n- one\n- two'), 'm2')],
  [AGENT, said(call('t1', 'Bash', { command: 'npm test -- --reporter=dot' }), 'm3')],
  [AGENT, answered('t1', 'a line\n'.repeat(20))],
  [AGENT, said(call('t2', 'Edit', { file_path: '/x/a.ts', old_string: 'a\nb', new_string: 'a\nc' }), 'm4')],
  [AGENT, answered('t2', 'done')],
] as const;

const BASH = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm -r build' } };

describe.runIf(hasProgram('chromium-headless-shell'))('the console written from the right', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it.each([1280, 375])('[CO3406] fits on %i pixels, with the list at its own side', async (width) => {
    const viewport = { width, height: 720 };
    const { page } = await showRecord(browser, { lines: LINES, asks: [BASH], viewport });
    const found: string[] = [];
    const lookAt = async (screen: string): Promise<void> => {
      // No language of ours is written so yet.
      await page.evaluate("document.documentElement.dir = 'rtl'");
      for (const part of await wideParts(page)) found.push(`${screen}: ${part}`);
    };
    await page.getByRole('article').waitFor();
    await lookAt('a session');
    expect(await middleOf(page, '.prompt-text')).toBeLessThan(width / 2);
    for (const code of ['.call-input', '.diff', '.card pre'])
      expect(await page.evaluate(`getComputedStyle(document.querySelector('${code}')).direction`), code).toBe(
        'ltr',
      );
    if (width < 760) await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    await until(() =>
      page.evaluate("document.querySelector('.list').getBoundingClientRect().right <= innerWidth + 1"),
    );
    expect(await middleOf(page, '.list')).toBeGreaterThan(width / 2);
    await page.goto(new URL('/', page.url()).href);
    await page.getByRole('main').waitFor();
    await lookAt('the board');
    expect(found).toEqual([]);
  });
});

/** How far from the left the middle of the first such element is. */
function middleOf(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(() => {
    const { left, width } = document.querySelector('${selector}').getBoundingClientRect();
    return left + width / 2;
  })()`);
}
