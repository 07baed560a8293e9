import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { sharedBrowser } from './console-stage.ts';
import { ADA, prompt } from './sample.ts';
import { showRecord } from './show-record.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('a part of the page that fails', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2044][CO3770] says so in its place, a dialog in a dialog, while the others go on', async () => {
    const { page } = await showRecord(browser, { lines: [[ADA, prompt('Do it')]] });
    await page.getByText('Do it').waitFor();
    // A hub with a newer console no longer has the files of this one.
    await page.route('**/assets/changes-panel*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('tab', { name: 'Changes' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'The changes cannot be shown.' });
    await failure.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Agent' }).click();
    await page.getByText('Do it').waitFor();
    await failure.waitFor({ state: 'detached' });
    await page.unroute('**/assets/changes-panel*.js');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await failure.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('region', { name: 'Changes' }).waitFor();
    await failure.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Agent' }).click();
    await page.getByText('Do it').waitFor();

    // Nor those of its dialogs.
    await page.route('**/assets/palette-*.js', (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'The dialog' });
    await dialog.getByText('The dialog cannot be shown.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Do it').waitFor();
  });
});
