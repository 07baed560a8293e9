import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, openPage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))("a session's menu", () => {
  const openStage = ConsoleStage.ofFile();
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO844] what the hub tells of a session counts, also when its clock was set back', async () => {
    const stage = await openStage(browser);
    const { page, hub } = stage;
    const id = await stage.launchPuppet();
    let isSetBack = false;
    await page.routeWebSocket('**/api/stream', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((said) => {
        const text = String(said);
        socket.send(isSetBack ? text.replaceAll(/"updatedAt":\d+/g, '"updatedAt":1000') : said);
      });
    });
    await page.reload();
    await stage.isIdle();
    isSetBack = true;
    const title = 'Named after the clock was set';
    expect((await call(hub.url, hub.token, 'PATCH', `/api/sessions/${id}`, { title })).status).toBe(200);
    await page.getByRole('navigation').getByText(title).waitFor();
  });

  it('[CO62] ends an agent after a question, and offers another start only when it has ended', async () => {
    const stage = await openStage(browser);
    const { page, hub } = stage;
    await stage.launchPuppet();
    await stage.say('run sh -c true');
    await page.getByRole('article').waitFor();
    await stage.click('Session menu');
    await page.keyboard.press('Escape');
    await stage.chooseInMenu('End the agent …');
    await page.getByText('in the middle of its turn').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(1);
    expect(await stage.transcript.getByText('Interrupted').count()).toBe(0);
    await stage.chooseInMenu('End the agent …');
    await stage.click('End');
    const again = page.getByRole('button', { name: 'Start again' });
    await again.waitFor();
    await stage.transcript.getByText(/ ended the agent$/).waitFor();

    const { body } = await call(hub.url, hub.token, 'POST', '/api/sessions', { title: 'Out of reach' });
    expect(body.session.state).toBe('disconnected');
    await page.getByRole('navigation').getByText('Out of reach').click();
    await page.getByRole('heading', { name: 'Out of reach' }).waitFor();
    expect(await again.count()).toBe(0);
  });

  it('[CO65][CO66] renames and removes a session, for those who may', async () => {
    const stage = await openStage(browser);
    const { page, hub } = stage;
    const session = await stage.launchPuppet();
    await stage.turn(`say ${'many words '.repeat(20)}`);
    await page.getByRole('heading', { name: /^say many words .*…$/ }).waitFor();
    await stage.chooseInMenu('Rename …');
    await page.getByLabel('Title').fill('A name of its own');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A name of its own' }).waitFor();
    await page.getByRole('navigation').getByText('A name of its own').waitFor();

    const grant = { person: 'Bob', name: 'phone', scope: 'drive' };
    const { body } = await call(hub.url, hub.token, 'POST', '/api/sign-in-links', grant);
    const driver = await openPage(browser);
    await driver.goto(`${hub.url}${body.path}`);
    await driver.getByRole('link', { name: 'A name of its own' }).click();
    await driver.getByRole('button', { name: 'Session menu' }).click();
    await driver.getByRole('button', { name: 'Rename …' }).waitFor();
    expect(await driver.getByRole('button', { name: 'Remove …' }).count()).toBe(0);

    await stage.chooseInMenu('Remove …');
    await page.getByText('ends its agent and deletes').waitFor();
    await stage.click('Remove');
    await page.getByText('No sessions yet').waitFor();
    await until(async () => new URL(page.url()).pathname === '/');
    const gone = await call(hub.url, hub.token, 'GET', `/api/sessions/${session}`);
    expect(gone.status).toBe(404);
    await driver.getByText('Somebody removed it').waitFor();
  });
});
