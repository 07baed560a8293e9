import type { JsonObject } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, answered, call, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

/** Only what is near is there: a reader scrolls until it comes. */
async function scrollUpTo(row: Locator, log: Locator): Promise<void> {
  await until(async () => {
    if ((await row.count()) > 0) return true;
    await log.evaluate((box) => box.scrollBy(0, -400));
    return false;
  });
  await row.scrollIntoViewIfNeeded();
}

describe.runIf(hasProgram('chromium-headless-shell'))('a record in the browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  const show = (lines: readonly [Author, unknown][], asked?: JsonObject) =>
    showRecord(browser, { lines, asks: asked ? [asked] : [] });

  it('[CO37] opens at its end; further up it is read on, and what is being read stays where it is', async () => {
    const lines = Array.from({ length: 500 }, (_, index): [Author, unknown] => [
      AGENT,
      said(text(`Entry ${index} of the record`), `m${index}`),
    ]);
    const { page } = await show(lines);
    const log = page.getByRole('log');
    await log.getByText('Entry 499').waitFor();
    expect(await log.getByText('Entry 299 ').count()).toBe(0);
    let letThrough = (): void => {};
    const isLetThrough = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/events?*', async (route) => {
      await isLetThrough;
      await route.continue();
    });
    const anchor = log.getByText('Entry 310 ');
    await scrollUpTo(anchor, log);
    await log.getByText('Reading').waitFor();
    const before = await anchor.boundingBox();
    letThrough();
    await log.getByText('Entry 299 ').waitFor({ state: 'attached' });
    const after = await anchor.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(60);
    await log.press('Home');
    await log.getByText('Entry 0 ').waitFor({ state: 'attached' });
    expect(await log.getByRole('button', { name: 'Earlier' }).count()).toBe(0);
  });

  it('[CO200] Home and End lead to the start and the end of what is here, whatever room it takes', async () => {
    const lines = Array.from({ length: 150 }, (_, index): [Author, unknown] => [
      AGENT,
      said(text(`Entry ${index} of the record`), `m${index}`),
    ]);
    const { page } = await show(lines);
    const log = page.getByRole('log');
    await log.getByText('Entry 149 ').waitFor();
    const box = (): Promise<{ fromStart: number; toEnd: number }> =>
      page.evaluate(`(({ scrollTop, scrollHeight, clientHeight }) => ({
        fromStart: scrollTop,
        toEnd: scrollHeight - scrollTop - clientHeight,
      }))(document.querySelector('.transcript'))`);
    await until(async () => (await box()).toEnd < 2);
    // A browser skips what is out of sight, and learns what room it takes when it gets there.
    await page.evaluate(`
      const [box] = document.getElementsByClassName('transcript');
      const grow = () => { document.querySelector('.slot').style.paddingTop = '2000px'; };
      box.addEventListener('scroll', grow, { once: true });
    `);
    await log.press('Home');
    await until(async () => (await box()).fromStart === 0);
    await log.press('End');
    await until(async () => (await box()).toEnd < 2);
  });

  it('[CO621] a phone that is turned or opens its keyboard stays at the end', async () => {
    const lines = Array.from({ length: 9 }, (_, index): [Author, unknown] => [
      AGENT,
      said(
        text(`Entry ${index}: ${'what takes more lines where there is less room '.repeat(8)}`),
        `m${index}`,
      ),
    ]);
    const { page } = await showRecord(browser, { lines, viewport: { width: 667, height: 375 } });
    const log = page.getByRole('log');
    const isAtEnd = (): Promise<boolean> =>
      log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2);
    await log.getByText('Entry 8:').waitFor();
    await until(isAtEnd);
    // What a browser does that keeps the first line in its place: it scrolls before it tells of the new size.
    await log.evaluate((box) => {
      box.style.maxHeight = '150px';
      box.scrollTop -= 100;
    });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await until(isAtEnd);
  });

  it('[CO811] a phone that is turned keeps the entry that is read in its place', async () => {
    const lines = Array.from({ length: 120 }, (_, index): [Author, unknown] => [
      AGENT,
      said(
        text(`Entry ${index}: ${'what takes more lines where there is less room '.repeat(6 + (index % 5))}`),
        `m${index}`,
      ),
    ]);
    const { page } = await showRecord(browser, { lines, viewport: { width: 375, height: 667 } });
    const log = page.getByRole('log');
    await log.getByText('Entry 119:').waitFor();
    const read = log.getByText('Entry 60:');
    await scrollUpTo(read, log);
    await read.evaluate((row) => row.scrollIntoView({ block: 'start' }));
    const topEntry = (): Promise<string> =>
      page.evaluate(`(({ x, y, width }) => document.elementFromPoint(x + width / 2, y + 12)?.textContent?.slice(0, 9))(
        document.querySelector('.transcript').getBoundingClientRect(),
      )`);
    await until(async () => (await topEntry()) === 'Entry 60:');
    const settled = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    for (const [width, height] of [
      [667, 375],
      [375, 667],
      [375, 340],
      [1280, 800],
      [375, 667],
    ] as const) {
      await page.evaluate(settled);
      await page.setViewportSize({ width, height });
      await page.evaluate(settled);
      await until(async () => (await topEntry()) === 'Entry 60:');
    }
  });

  it('[CO265] a long one is read back to its very start, and from there its end is one click away', async () => {
    const { page, store, session } = await show([[AGENT, said(text('The very first'), 'm0')]]);
    const log = page.getByRole('log');
    await log.getByText('The very first').waitFor();
    const lines = Array.from({ length: 11_000 }, (_, index) => ({
      bytes: Buffer.from(JSON.stringify(said(text(`Entry ${index} of the record`), `n${index}`))),
    }));
    await store.commit({ appends: [{ session, author: AGENT, lines }] });
    await page.reload();
    await log.getByText('Entry 10999 ').waitFor();
    const isAtStart = async (): Promise<boolean> => {
      await log.press('Home');
      return (await log.getByText('The very first').count()) > 0;
    };
    await until(isAtStart);
    await log.getByText('The very first').waitFor();
    expect(await log.getByRole('button', { name: 'Earlier' }).count()).toBe(0);
    expect(await log.getByText('Entry 10999 ').count()).toBe(0);
    await page.getByRole('button', { name: 'To the end' }).click();
    await log.getByText('Entry 10999 ').waitFor();
    await until(async () => (await page.getByRole('button', { name: 'To the end' }).count()) === 0);
  });

  it('[CO623] a reader far up is one click from the end, and is not told of news where there are none', async () => {
    const end = (total: number) => ({
      type: 'result',
      subtype: 'success',
      is_error: false,
      total_cost_usd: total,
    });
    const lines = Array.from({ length: 400 }, (_, index): [Author, unknown] => [
      AGENT,
      said(text(`Entry ${index} of the record`), `m${index}`),
    ]);
    // What the last turn cost is known once the one before it has been read: the row changes, and is no news.
    const { page } = await show([[AGENT, end(1)], ...lines, [AGENT, end(3)]]);
    const log = page.getByRole('log');
    await log.getByText('Entry 399 ').waitFor();
    expect(await page.getByRole('button', { name: 'To the end' }).count()).toBe(0);
    await log.press('Home');
    await log.getByText('Entry 0 ').waitFor();
    await page.getByRole('button', { name: 'To the end' }).waitFor();
    expect(await page.getByRole('button', { name: 'New below' }).count()).toBe(0);
    await page.getByRole('button', { name: 'To the end' }).click();
    await log.getByText('$2.00').waitFor();
    await log.getByText('Entry 399 ').waitFor();
    await until(async () => (await page.getByRole('button', { name: 'To the end' }).count()) === 0);
  });

  it('[CO46] what is opened at the end stays where it was opened', async () => {
    const output = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
    const { page } = await show([
      [AGENT, said(text('Entry '.repeat(2000)), 'm0')],
      [AGENT, said(call('t1', 'Bash', { command: 'seq' }))],
      [AGENT, answered('t1', output)],
      [AGENT, said(text('That was it'), 'm2')],
    ]);
    const opener = page.getByRole('button', { name: 'Bash seq' });
    const before = await opener.boundingBox();
    await opener.click();
    await page.getByText('line 1\n').waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const after = await opener.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(5);
  });

  it('[CO38] shows Markdown, and takes nothing in it for HTML', async () => {
    const evil = 'Look: <img src=x onerror="document.title=1"> and [click](javascript:alert(1)) and **bold**';
    const { page } = await show([
      [ADA, prompt('<b>not bold</b>')],
      [AGENT, said(text(evil))],
    ]);
    const log = page.getByRole('log');
    await log.getByText('<img src=x').waitFor();
    await log.getByText('<b>not bold</b>').waitFor();
    expect(await log.locator('strong').textContent()).toBe('bold');
    expect(await log.locator('img, b, a').count()).toBe(0);
  });

  it('[CO819] code of an answer is copied with a button, as it was written', async () => {
    const code = 'make test \\\n  && echo "done"';
    const { page } = await showRecord(browser, {
      lines: [[AGENT, said(text(`Try this:\n\n\`\`\`sh\n${code}\n\`\`\``))]],
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('log').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  });

  it('[CO530] shows Markdown that would overflow or outlast the parser as plain text, and what comes after it', async () => {
    const bombs = [
      `${'>'.repeat(20_000)} quoted`,
      `${'- '.repeat(20_000)} listed`,
      `${'*a **b '.repeat(2000)}c${' b** a*'.repeat(2000)}`,
      `${'**'.repeat(30_000)} starred`,
      `${'a.'.repeat(20_000)}@`,
      '> a\nb\n'.repeat(40_000),
    ];
    const { page } = await show([
      ...bombs.map((bomb, index): [Author, unknown] => [AGENT, said(text(bomb), `m${index}`)]),
      [AGENT, said(text('**After** them'), 'm9')],
    ]);
    const log = page.getByRole('log');
    await log.locator('strong', { hasText: 'After' }).waitFor();
    // Rows far from the screen are not drawn: all are seen on the way up.
    const seen = new Set<string>();
    await log.focus();
    await until(async () => {
      for (const seq of await log.locator('.reply').evaluateAll((rows) => rows.map((row) => row.dataset.seq)))
        seen.add(String(seq));
      await page.keyboard.press('PageUp');
      return seen.size === bombs.length + 1;
    });
  });

  it('[CO3700] shows no more marks on a character than a language has, wherever they come from', async () => {
    const [accents, shades, tags] = ['\u0301', '\u{1F3FD}', '\u{E0067}\u{1F3FD}'].map((mark) =>
      mark.repeat(20_000),
    );
    const { page } = await show(
      [
        [AGENT, said(text(`a${accents}`), 'm1')],
        [AGENT, said(text(`\`\`\`\n${shades}\n\`\`\``), 'm2')],
        [AGENT, said(text(`*${tags}*`), 'm3')],
        [AGENT, said(text('**After** them: e\u0301 \u{1F44C}\u{1F3FD}'), 'm9')],
      ],
      { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: `ls ${accents} ${shades}` } },
    );
    const log = page.getByRole('log');
    await log.locator('strong', { hasText: 'After' }).waitFor();
    await page.getByRole('article').getByText('ls ').first().waitFor();
    const all = (await page.locator('body').textContent()) ?? '';
    expect(all).toContain('e\u0301 \u{1F44C}\u{1F3FD}');
    expect(all).toContain(`ls ${'\u0301'.repeat(30)}\ufffd ${'\u{1F3FD}'.repeat(30)}\ufffd`);
    expect(all).not.toMatch(/[\p{M}\p{Emoji_Modifier}\u{E0000}-\u{E007F}]{31}/u);
  });

  it('[CO39] says what is asked to those who cannot see it, and is worked by keyboard alone', async () => {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm -r build' } };
    const { page, store, session } = await show([[ADA, prompt('go')]], request);
    await until(async () =>
      (await page.locator('[aria-live=assertive]').textContent())?.includes('rm -r build'),
    );
    await until(() => page.getByRole('button', { name: 'Allow', exact: true }).isEnabled());
    const reached: string[] = [];
    for (let step = 0; step < 25 && !reached.includes('Allow'); step += 1) {
      await page.keyboard.press('Tab');
      reached.push((await page.locator(':focus').textContent()) ?? '');
    }
    await page.keyboard.press('Enter');
    await until(async () => (await store.permissions.get(session, 'r1'))?.state === 'answered');
    await until(async () => (await page.getByRole('article').count()) === 0);
  });
});
