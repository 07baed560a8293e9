import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { ConsoleStage } from './console-stage.ts';

/** Wait until the screen of the terminal has these words. */
export async function shows(page: Page, words: RegExp | string): Promise<void> {
  await page.locator('.xterm-rows').getByText(words).last().waitFor();
}

/** A session, and a terminal of it that has just been started. */
export async function openTerminal(stage: ConsoleStage): Promise<void> {
  onTestFinished(() => endTerminals(stage.home));
  await stage.launchPuppet();
  await stage.page.getByRole('tab', { name: 'Terminal' }).click();
  await stage.click('Start a terminal');
  await stage.page.locator('.xterm-rows').waitFor();
}

/** Type into the terminal as on a keyboard. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator('.xterm textarea').focus();
  await page.keyboard.type(text);
}

/** The rows of the screen as a person reads them, without what is empty at their ends. */
export async function screenOf(page: Page): Promise<string[]> {
  const rows = await page
    .locator('.xterm-rows > div')
    .evaluateAll((elements) => elements.map(({ textContent }) => textContent.replace(/[\s\u00a0]+$/, '')));
  return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1);
}

/** Wait until a row of the screen is this, whatever its colours. */
export async function hasRow(page: Page, row: string): Promise<void> {
  await until(async () => (await screenOf(page)).includes(row));
}

/** Load the page anew, which comes back to its terminal. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator('.xterm-rows').waitFor();
}
