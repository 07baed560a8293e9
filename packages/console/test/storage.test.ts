import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('storage', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2015] a page says what the data takes and for how long it is kept, and saves a backup', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await stage.manage('Storage');
    await page.getByText(/ in use, .* on the disk\./).waitFor();
    await page.getByText('Everything is kept for good.').waitFor();
    const { SIGNALBOX_SCREENSHOTS: shots } = process.env;
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await violationsOn(page)).toEqual([]);
      if (shots) await page.screenshot({ path: join(shots, `storage-${width}.png`) });
    }
    await stage.click('Change …');
    await page.getByLabel('What was said').fill('90');
    await page.getByLabel('The database may take (MiB)').fill('none');
    await stage.click('Keep so');
    await page.getByText('A limit is a whole number of more than 0, or nothing.').waitFor();
    await page.getByLabel('The database may take (MiB)').fill('4096');
    expect(await violationsOn(page)).toEqual([]);
    if (shots) await page.screenshot({ path: join(shots, 'storage-limits.png') });
    await stage.click('Keep so');
    await page.getByText('What was said: 90 days').waitFor();
    await page.getByText(/ in use of 4096 MiB, /).waitFor();
    const saved = page.waitForEvent('download');
    await stage.click('Download a backup');
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^signalbox-\d{4}-\d\d-\d\d\.db$/);
    expect(readFileSync(await download.path()).toString('latin1', 0, 15)).toBe('SQLite format 3');
  });
});
