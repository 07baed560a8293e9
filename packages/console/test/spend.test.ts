import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const PHONE = { width: 375, height: 720 };

describe.runIf(hasProgram('chromium-headless-shell'))('spend and budgets', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1966] a budget that is used up is said in its session, one more turn is allowed there; the page of spend shows what it came to, on a desk and on a phone', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    await stage.launchPuppet();
    await stage.turn('say one');
    await stage.manage('Spend');
    await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor();
    await page.getByRole('img', { name: /^Spent each day, from / }).waitFor();
    const table = page.getByRole('table');
    await table.getByRole('rowheader', { name: /^claude-/ }).waitFor();
    await page.getByLabel('By').selectOption('person');
    await table.getByRole('columnheader', { name: 'Person' }).waitFor();
    await page.getByRole('button', { name: 'New budget …' }).click();
    const dialog = page.getByRole('dialog', { name: 'New budget' });
    await dialog.getByLabel('Dollars').fill('lots');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('An amount is a number of more than 0').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByLabel('Dollars').fill('');
    await dialog.getByLabel('Tokens').fill('1');
    await dialog.getByRole('button', { name: 'Add' }).click();
    const budgets = page.getByRole('list', { name: 'Budgets' });
    await budgets.getByText('used up').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    await page.goBack();
    const notice = page.getByText(/^The budget of this hub, 1 token a day: .* Prompts wait\.$/);
    await notice.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    await stage.say('say two');
    const sessions = async () => (await call(hub.url, hub.token, 'GET', '/api/sessions')).body.items;
    const [{ id }] = await sessions();
    const waiting = async () =>
      (await call(hub.url, hub.token, 'GET', `/api/sessions/${id}/prompts`)).body.items;
    await until(async () => (await waiting()).length === 1);
    await page.getByRole('button', { name: 'Allow one more turn' }).click();
    await until(async () => (await waiting()).length === 0);
    await stage.reads('One more turn was allowed beyond the budget.');
    await stage.reads('two');
  });
});
