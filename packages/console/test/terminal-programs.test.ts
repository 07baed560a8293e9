import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { terminalsIn } from '@signalbox/testing/hub/terminal-stage';
import { peakMb } from '@signalbox/testing/peak-memory';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { hasRow, openTerminal, reload, screenOf, shows, type } from './terminal-page.ts';

const MEBIBYTE = 1024 * 1024;

/** How much is printed in one go: a gigabyte in `npm run chaos`. */
const PRINTED_MB = Number(process.env.SIGNALBOX_TERMINAL_MB ?? 30);

/** As long as any test may take, and what it takes to print while everything else goes first. */
const PRINTED_LIMIT_MS = 300_000 + PRINTED_MB * 1000;

/** What neither the page's scripts nor a process may come to need for it. */
const MAX_MB = 400;

const { length: NEEDED } = ['chromium-headless-shell', 'vim', 'less'].filter((name) => !hasProgram(name));

/** Click into a row of the screen, counted from 1. */
async function clickRow(page: Page, row: number): Promise<void> {
  const box = await page
    .locator('.xterm-rows > div')
    .nth(row - 1)
    .boundingBox();
  if (!box) throw new Error(`there is no row ${row}`);
  await page.mouse.click(box.x + 4, box.y + box.height / 2);
}

/** What the scripts of the page hold. */
async function heapMb(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / MEBIBYTE;
}

describe.runIf(NEEDED === 0)('programs in the terminal of a session', { timeout: 1_200_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1800][TM1804] vim edits a file, keeps screen and mouse when the page is loaded anew, and takes another size of the window', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await openTerminal(stage);
    await type(page, 'echo before-$((1+1))\n');
    await shows(page, /^before-2$/);
    await type(page, "vim -u NONE -i NONE -N -n -c 'set mouse=a ttymouse=sgr ruler' notes.txt\n");
    await hasRow(page, '~');
    await type(page, 'ione\ntwo – zwei 二\nthree\nfour');
    await hasRow(page, 'four');
    await page.keyboard.press('Escape');
    expect((await screenOf(page)).slice(0, 5)).toEqual(['one', 'two – zwei 二', 'three', 'four', '~']);
    await reload(page);
    await hasRow(page, 'four');
    expect((await screenOf(page)).slice(0, 5)).toEqual(['one', 'two – zwei 二', 'three', 'four', '~']);
    // The mouse is vim's, also for a page that was not there when it was asked for.
    await clickRow(page, 3);
    await shows(page, /\b3,1\b/);
    await page.setViewportSize({ width: 700, height: 420 });
    await type(page, 'x');
    await hasRow(page, 'hree');
    await type(page, ':set columns? lines?\n');
    const size = await page
      .locator('.xterm-rows')
      .getByText(/columns=/)
      .last()
      .innerText();
    const columns = Number(/columns=(\d+)/.exec(size)?.[1]);
    expect(columns).toBeGreaterThan(20);
    expect(columns).toBeLessThan(90);
    await type(page, ':wq\n');
    await shows(page, /^before-2$/);
    expect(readFileSync(join(stage.home, 'notes.txt'), 'utf8')).toBe('one\ntwo – zwei 二\nhree\nfour\n');
    expect(await screenOf(page)).not.toContain('~');
  });

  it('[CO1801] less finds, scrolls and leaves the screen as it was, also across a page that is loaded anew', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await openTerminal(stage);
    await type(page, "echo before-$((1+1)); seq -f 'number %g.' 5000 | less\n");
    await shows(page, /^number 1\.$/);
    await type(page, '/number 4321\n');
    await shows(page, /^number 4321\.$/);
    await reload(page);
    await shows(page, /^number 4321\.$/);
    await type(page, 'n');
    await shows(page, /Pattern not found/);
    await type(page, '\ng');
    await shows(page, /^number 1\.$/);
    await type(page, 'G');
    await shows(page, /^number 5000\.$/);
    await type(page, 'q');
    await shows(page, /^before-2$/);
    expect(await screenOf(page)).not.toContain('number 5000.');
  });

  it(
    `[CO1802] ${PRINTED_MB} MB of output and binary garbage leave the page usable, and cost little memory`,
    async () => {
      const stage = await ConsoleStage.open(browser);
      const { page } = stage;
      // A gigabyte takes minutes where the machine is slow; the limit of the test is enough.
      page.setDefaultTimeout(0);
      await openTerminal(stage);
      const started = performance.now();
      await type(
        page,
        `yes "$(seq -s ' ' 30)" | head -c ${PRINTED_MB * 1_000_000}; echo; echo printed-$((1+1))\n`,
      );
      await shows(page, /^printed-2$/);
      const seconds = (performance.now() - started) / 1000;
      await type(page, 'head -c 3000000 /dev/urandom; printf "\\ec"; stty sane; echo; echo well-$((1+1))\n');
      await shows(page, /^well-2$/);
      // Some of it may have been a question, and its answer typed.
      await page.keyboard.press('Control+u');
      await type(page, 'echo usable-$((1+1))\n');
      await shows(page, /^usable-2$/);
      const [{ host } = { host: 0 }] = terminalsIn(stage.home);
      const memory = { page: await heapMb(page), hub: peakMb(stage.hub.pid), terminal: peakMb(host) };
      if (process.env.SIGNALBOX_TERMINAL_MB !== undefined)
        process.stdout.write(`${PRINTED_MB} MB in ${seconds.toFixed(1)} s; ${JSON.stringify(memory)} MB\n`);
      for (const megabytes of Object.values(memory)) expect(megabytes).toBeLessThan(MAX_MB);
    },
    PRINTED_LIMIT_MS,
  );

  it('[CO1803] a window of a pixel and one of ten thousand by ten thousand harm nothing; a shell that ends at once is said to have', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await openTerminal(stage);
    await type(page, 'echo first-$((1+1))\n');
    await shows(page, /^first-2$/);
    await page.setViewportSize({ width: 1, height: 1 });
    await type(page, 'stty size > small\n');
    await page.setViewportSize({ width: 10_000, height: 10_000 });
    await type(page, 'clear; stty size | tee large; echo second-$((1+1))\n');
    await shows(page, /^second-2$/);
    const [rows = 0, cols = 0] = readFileSync(join(stage.home, 'large'), 'utf8').split(' ').map(Number);
    expect([rows, cols]).toEqual([300, 1000]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await type(page, 'clear; echo third-$((1+1))\n');
    await shows(page, /^third-2$/);
    expect(readFileSync(join(stage.home, 'small'), 'utf8')).toMatch(/^\d+ \d+\n$/);

    const brief = await ConsoleStage.open(browser, {}, { variables: { SHELL: '/bin/false' } });
    await openTerminal(brief);
    await brief.page.getByText('The shell has ended with 1.').waitFor();
    await brief.click('New');
    await brief.page.getByRole('button', { name: 'Terminal 2 (ended)' }).waitFor();
  });
});
