import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, openPage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('the first screen', () => {
  const openStage = ConsoleStage.ofFile();
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO30] opens behind the link of signalbox up, once, and says how to sign in without it', async () => {
    const { page, hub } = await ConsoleStage.open(browser);
    await page.getByText('No sessions yet').waitFor();
    const stranger = await openPage(browser);
    await stranger.goto(hub.url);
    await stranger.getByText('Signed out').waitFor();
    expect(await stranger.getByRole('main').textContent()).toContain('npx signalbox link');
    await stranger.goto(/sign in\s+(\S+)/.exec(hub.output())?.[1] ?? '');
    await stranger.getByText('wrong, used or too old').waitFor();
  });

  it('[CO64] a link that was used leads on who is signed in, and tells others what to do; localhost is told apart', async () => {
    const { page, hub } = await ConsoleStage.open(browser);
    await page.getByText('No sessions yet').waitFor();
    const link = /sign in\s+(\S+)/.exec(hub.output())?.[1] ?? '';
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('No sessions yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    const stranger = await openPage(browser);
    await stranger.goto(link);
    await stranger.getByText('signalbox link').waitFor();
    await page.goto(hub.url.replace('127.0.0.1', 'localhost'));
    await page.getByText('Signed out').waitFor();
    await page.getByRole('link', { name: 'go on there' }).click();
    await page.getByText('No sessions yet').waitFor();
  });

  it('[CO492] an address that leads nowhere says so in words, and what to do: half a link, no such session', async () => {
    const stage = await openStage(browser);
    const stranger = await openPage(browser);
    await stranger.goto(`${stage.hub.url}/sign-in`);
    await stranger.getByText('The sign-in link is cut off').waitFor();
    const { page } = stage;
    // Whoever is signed in is led on, by half a link as well.
    await page.goto(`${stage.hub.url}/sign-in`);
    await page.getByText('No sessions yet').waitFor();
    await stage.startSession();
    await page.goto(`${stage.hub.url}/sessions/there-is-none`);
    await page.getByText('There is no session there-is-none').waitFor();
    await page.getByRole('link', { name: 'Go to the sessions that there are' }).click();
    await page.getByRole('main').getByRole('listitem').getByRole('link').click();
    await stage.reads('this list');
  });

  it('[CO31][LN271] starts an agent in a folder that is named from ~, and says why one does not start', async () => {
    const stage = await openStage(browser);
    const { page } = stage;
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByLabel('Agent').selectOption('scripted');
    await page.getByLabel('Folder').fill('/there/is/no/such/folder');
    await stage.click('Start');
    await page.getByRole('alert').filter({ hasText: '/there/is/no/such/folder' }).waitFor();
    await page.keyboard.press('Escape');
    await stage.startSession();
    expect(page.url()).toContain('/sessions/');
    await page.getByRole('main').getByTitle(stage.home, { exact: true }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(1);
    await stage.chooseInMenu('End the agent …');
    await stage.click('End');
    await stage.click('Start again');
    await stage.say('Are you back?');
    await stage.reads('You wrote:');
  });

  it('[CO32][CO40] streams a reply, shows it once when it is whole, and can be interrupted', async () => {
    const stage = await openStage(browser, { viewport: { width: 1000, height: 480 } });
    await stage.startSession();
    await stage.say('long');
    await stage.reads('wagon 3,');
    expect(await stage.transcript.getByText('That was the whole train').count()).toBe(0);
    await stage.click('Interrupt');
    await stage.reads('Interrupted');
    await stage.isIdle();
    expect(await stage.transcript.getByText('A long goods train').count()).toBe(1);
    await stage.say('long');
    await until(async () => (await stage.transcript.getByText('wagon 2,').count()) === 2);
    await stage.transcript.press('Home');
    // It is smooth: words that come meanwhile must not pull the reader back.
    await until(() => stage.page.evaluate("document.querySelector('[role=log]').scrollTop < 10"));
    await stage.page.keyboard.press('Escape');
    await stage.isIdle();
    const below = stage.page.getByRole('button', { name: 'New below' });
    await below.click();
    await until(async () => (await below.count()) === 0);
    await until(() => stage.transcript.getByText('Interrupted').last().isVisible());
  });

  it('[CO67] tells a reader further up that a reply grows, and shows what they send', async () => {
    const stage = await openStage(browser, { viewport: { width: 800, height: 480 } });
    const { page, transcript } = stage;
    await stage.launchPuppet();
    await stage.turn(`say ${'a line of its own\n\n'.repeat(30)}`);
    await stage.say('slow 9000');
    await stage.reads('w5 ');
    await transcript.press('Home');
    const below = page.getByRole('button', { name: 'New below' });
    await below.waitFor();
    expect(await transcript.getByText('w8999').count()).toBe(0);
    await page.keyboard.press('Escape');
    await stage.isIdle();
    await stage.say('say good evening');
    await until(async () => (await transcript.locator('.reply').last().textContent()) === 'good evening');
    await until(async () => (await below.count()) === 0);
    const row = await transcript.locator('.reply').last().boundingBox();
    const frame = await transcript.boundingBox();
    expect(row?.y).toBeGreaterThan(frame?.y ?? Infinity);
    expect(row?.y).toBeLessThan((frame?.y ?? 0) + (frame?.height ?? 0));
  });

  it('[CO33][CO72] allows, denies with a reason, and answers a question', async () => {
    const stage = await openStage(browser);
    const { page } = stage;
    await stage.startSession();
    await stage.say('write');
    const card = page.getByRole('article', { name: 'Allow Write?' });
    await card.getByText('A note from the built-in model').waitFor();
    expect(await page.title()).toContain('(1)');
    await stage.click('Allow');
    await stage.reads('Written: it is');
    await until(async () => !(await page.title()).includes('(1)'));
    await stage.say('run');
    await page
      .getByRole('article', { name: 'Allow Bash?' })
      .getByText('sh -c "date; pwd"', { exact: true })
      .waitFor();
    await page.getByRole('article').getByText('Show time and folder').waitFor();
    await stage.click('Deny …');
    await page.getByLabel('What shall it do instead?').fill('Not on a Sunday');
    await stage.click('Deny');
    await stage.reads('Not on a Sunday');
    expect(await stage.transcript.getByText(/^denied by /).count()).toBe(1);
    await stage.say('ask');
    await page.getByRole('radio', { name: 'Yellow' }).check();
    await stage.click('Answer');
    await stage.reads('="Yellow"');
    await stage.isIdle();
  });

  it('[CO620] says of a question that it was answered, and who answers in a scripted session', async () => {
    const stage = await openStage(browser);
    await stage.startSession();
    await stage.reads(`built-in scripted model · ${stage.home}`);
    expect(await stage.transcript.getByText('claude-').count()).toBe(0);
    await stage.say('ask');
    await stage.page.getByRole('radio', { name: 'Yellow' }).check();
    await stage.click('Answer');
    await stage.reads('="Yellow"');
    await stage.transcript.getByText(/^answered by /).waitFor();
    expect(await stage.transcript.getByText(/^allowed by /).count()).toBe(0);
    await stage.isIdle();
    await stage.say('ask');
    await stage.click('Do not answer');
    await stage.transcript.getByText(/^not answered by /).waitFor();
    await stage.isIdle();
  });

  it('[CO35] queues prompts while a turn runs; they can be changed and taken back', async () => {
    const stage = await openStage(browser);
    const { page } = stage;
    await stage.launchPuppet();
    await stage.say('run sh -c true');
    await page.getByRole('article').waitFor();
    await stage.say('first of all');
    await stage.say('and then');
    const queue = page.getByRole('list', { name: 'Waiting prompts' });
    await until(async () => (await queue.getByRole('listitem').count()) === 2);
    await queue.getByRole('button', { name: 'Change this prompt' }).first().click();
    await queue.getByLabel('Waiting prompt', { exact: true }).fill('changed my mind');
    await queue.getByRole('button', { name: 'Save' }).click();
    await queue.getByText('changed my mind').waitFor();
    await queue.getByRole('button', { name: 'Cancel this prompt' }).last().click();
    await until(async () => (await queue.getByRole('listitem').count()) === 1);
    await stage.click('Allow');
    await stage.reads('echo: changed my mind');
    await stage.isIdle();
    expect(await stage.transcript.getByText('and then').count()).toBe(0);
    expect(await stage.transcript.getByText('first of all').count()).toBe(0);
  });

  it('[CO36] works on a phone: a drawer, targets for a thumb, nothing wider than the screen', async () => {
    const stage = await openStage(browser, {
      viewport: { width: 375, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = stage;
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    await stage.startSession();
    await page.getByRole('button', { name: 'Sessions' }).tap();
    await page.getByRole('navigation').getByRole('link').tap();
    await until(async () => !(await page.getByRole('navigation').isVisible()));
    await stage.say('write');
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    const buttons = await page.getByRole('button').filter({ visible: true }).all();
    const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
    expect(boxes.length).toBeGreaterThan(5);
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(375);
    await page.getByRole('button', { name: 'Allow', exact: true }).tap();
    await stage.reads('Written: it is');
  });

  it('[CO36][CO43] Esc leaves what one is at without interrupting; a long prompt in the queue stays in its place', async () => {
    const stage = await openStage(browser, { viewport: { width: 375, height: 700 } });
    const { page } = stage;
    await stage.startSession();
    await stage.say('long');
    await stage.reads('wagon 2,');
    await stage.say('a prompt of many words '.repeat(10));
    await page.getByRole('button', { name: 'Change this prompt' }).click();
    const box = await page.getByLabel('Prompt', { exact: true }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(375);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cancel this prompt' }).click();
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('navigation').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
    await stage.say('run');
    await page.getByRole('list', { name: 'Waiting prompts' }).getByText('run').waitFor();
    expect(await stage.transcript.getByText('Interrupted').count()).toBe(0);
    await page.keyboard.press('Escape');
    await stage.reads('Interrupted');
    await stage.isIdle();
    await stage.box.press('Enter');
    await stage.click('Deny …');
    await page.keyboard.press('Escape');
    await stage.click('Allow');
    await stage.isIdle();
    expect(await stage.transcript.getByText('Interrupted').count()).toBe(1);
  });

  it('[CO44][CO45] shows the mode that the agent is in, and offers an approver what they may do', async () => {
    const stage = await openStage(browser);
    const { page, hub } = stage;
    await stage.launchPuppet();
    const mode = page.getByLabel('Permission mode');
    await mode.selectOption('plan');
    await until(async () => (await mode.inputValue()) === 'plan');
    await stage.say('call ExitPlanMode {"plan":"first this"}');
    await stage.click('Approve, accept edits');
    await stage.isIdle();
    await stage.say('call ExitPlanMode {"plan":"then that"}');
    await page.getByRole('article').waitFor();
    await until(async () => (await mode.inputValue()) === 'acceptEdits');

    const grant = { person: 'Bob', name: 'phone', scope: 'approve' };
    const { body } = await call(hub.url, hub.token, 'POST', '/api/sign-in-links', grant);
    const approver = await openPage(browser);
    await approver.goto(`${hub.url}${body.path}`);
    await approver.getByRole('article', { name: 'Begin with this plan?' }).waitFor();
    expect(await approver.getByRole('button', { name: 'Approve, accept edits' }).count()).toBe(0);
    expect(await approver.getByRole('button', { name: 'New session' }).count()).toBe(0);
    await approver.getByRole('button', { name: 'Approve', exact: true }).click();
    await stage.reads('then that');
    await stage.isIdle();
  });
});
