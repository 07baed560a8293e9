import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.runIf(hasProgram('chromium-headless-shell'))('what is being written', () => {
  const openStage = ConsoleStage.ofFile();
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO60][CO61][CO73] stays with its session, whatever another one does, and over a restart of the hub', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    const other = await stage.launchPuppet();
    const shown = await stage.launchPuppet();
    await page.goto(`${stage.hub.url}/sessions/${shown}`);
    await stage.box.fill('a word for this one');
    const rows = page.getByRole('navigation').getByRole('link');
    await rows.first().getByText('ready').waitFor();

    const prompt = { clientId: 'c1', content: 'run sh -c true' };
    await call(stage.hub.url, stage.hub.token, 'POST', `/api/sessions/${other}/prompts`, prompt);
    await rows.first().getByText('asks you').waitFor();
    expect(await rows.first().getAttribute('href')).toBe(`/sessions/${other}`);
    expect(page.url()).toContain(shown);
    expect(await page.getByRole('article').count()).toBe(0);
    expect(await stage.box.inputValue()).toBe('a word for this one');

    await rows.first().click();
    await page.getByRole('article').waitFor();
    expect(await stage.box.inputValue()).toBe('');
    await page.goBack();
    await until(async () => (await stage.box.inputValue()) === 'a word for this one');
    await stage.restartHub();
    await page.getByLabel('Permission mode').waitFor();
    expect(await stage.box.inputValue()).toBe('a word for this one');
    await page.reload();
    await until(async () => (await stage.box.inputValue()) === 'a word for this one');
  });

  it('[CO63][CO71] gets what was queued before it when the turn is interrupted; what was refused is said until then', async () => {
    const stage = await openStage(browser);
    const { page } = stage;
    await stage.launchPuppet();
    await stage.say('run sh -c true');
    await page.getByRole('article').waitFor();
    await stage.say('one');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'two.png', mimeType: 'image/png', buffer: PIXEL },
      { name: 'two.zip', mimeType: 'application/zip', buffer: Buffer.from([0]) },
    ]);
    const refused = page.getByText('two.zip is neither text');
    await refused.waitFor();
    await page.getByRole('img', { name: 'two.png' }).waitFor();
    await stage.say('two');
    expect(await refused.count()).toBe(0);
    const waiting = page.getByRole('list', { name: 'Waiting prompts' }).getByText('waits');
    await until(async () => (await waiting.count()) === 2);
    await stage.box.fill('three');
    await page.keyboard.press('Escape');
    await stage.reads('Interrupted');
    await stage.isIdle();
    expect(await stage.box.inputValue()).toBe('one\ntwo\nthree');
    expect(await page.getByRole('button', { name: 'Leave out image' }).count()).toBe(1);
    expect(await waiting.count()).toBe(0);
    expect(await stage.transcript.getByText('one').count()).toBe(0);
  });

  it("[CO843] other people's prompts go on waiting when one interrupts", async () => {
    const stage = await openStage(browser);
    const { page, hub } = stage;
    const id = await stage.launchPuppet();
    const grant = { person: 'Grace', name: 'phone', scope: 'drive' };
    const { token } = (await call(hub.url, hub.token, 'POST', '/api/devices', grant)).body;
    await stage.say('run sh -c true');
    await page.getByRole('article').waitFor();
    await stage.say('say mine');
    const prompt = { clientId: 'g', content: 'say hers' };
    expect((await call(hub.url, token, 'POST', `/api/sessions/${id}/prompts`, prompt)).status).toBe(201);
    const waiting = page.getByRole('list', { name: 'Waiting prompts' }).getByText('waits');
    await until(async () => (await waiting.count()) === 2);
    await page.keyboard.press('Escape');
    await stage.reads('hers');
    await stage.isIdle();
    expect(await stage.box.inputValue()).toBe('say mine');
    expect(await stage.transcript.getByText('mine').count()).toBe(0);
  });

  it('[CO68][CO69] completes a command, whose output is shown', async () => {
    const stage = await openStage(browser);
    const { page } = stage;
    await stage.launchPuppet();
    const list = page.getByRole('listbox', { name: 'Commands' });
    await stage.box.fill('/co');
    await list.getByRole('option', { name: '/context' }).waitFor();
    await stage.box.press('Escape');
    expect(await list.count()).toBe(0);
    await stage.box.fill('/cos');
    await list.getByRole('option', { name: '/cost', selected: true }).waitFor();
    await stage.box.press('Enter');
    expect(await stage.box.inputValue()).toBe('/cost ');
    await stage.box.press('Enter');
    await stage.reads('Total cost:');
    await stage.isIdle();
    await stage.box.fill('/hel');
    await list.getByRole('option', { name: '/help' }).click();
    await stage.box.press('Enter');
    await stage.reads('List the commands');
  });
});
