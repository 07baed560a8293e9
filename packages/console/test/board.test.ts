import { TestRepository } from '@signalbox/testing/hub/changes-stage';
import { sampleSession } from '@signalbox/testing/hub/sample-session';
import { call as request, until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { boardGroups } from '../src/model/board-groups.ts';
import { SessionGlance, stopwatch } from '../src/model/session-glance.ts';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { ADA, answered, call, entry, prompt, said, text, writing } from './sample.ts';

function glanceOf(...messages: unknown[]): SessionGlance {
  const glance = new SessionGlance();
  glance.hear({ type: 'activity', session: 's', state: 'active' });
  for (const [index, message] of messages.entries()) glance.hear(entry(index + 1, message));
  return glance;
}

describe('a session at a glance', () => {
  it('[CO1220] says what the agent does since when, its last line, and what it cost', () => {
    const glance = glanceOf(
      said(text('First.\n\n- **So** `be` it\n')),
      said(call('t1', 'Bash', { command: 'npm test' })),
    );
    expect(glance.glance).toMatchObject({
      act: { words: 'Bash npm test', since: 2000 },
      lastLine: 'So be it',
      costUsd: undefined,
    });
    glance.hear(entry(3, answered('t1', 'green')));
    expect(glance.glance.act).toEqual({ words: 'Thinking', since: 3000 });
    for (const event of writing(['It is ', 'green']))
      glance.hear({ type: 'preview', session: 's', message: event });
    expect(glance.glance).toMatchObject({ act: { words: 'Writing' }, lastLine: 'It is green' });
    glance.hear(entry(4, { type: 'result', subtype: 'success', total_cost_usd: 0.5 }));
    glance.hear({ type: 'activity', session: 's', state: 'idle' });
    expect(glance.glance).toMatchObject({ act: undefined, lastLine: 'So be it', costUsd: 0.5 });
  });

  it('[CO1220] leaves out what sub-agents and people say, and what ended with its agent', () => {
    const glance = glanceOf(said(call('t1', 'Task', { description: 'Look' })));
    glance.hear(entry(2, said(call('t2', 'Bash', { command: 'ls' }), 'm2', 't1')));
    glance.hear(entry(3, prompt('more'), ADA));
    expect(glance.glance).toMatchObject({ act: { words: 'Task Look' }, lastLine: '' });
    glance.hear({ type: 'activity', session: 's', state: 'disconnected' });
    expect(glance.glance.act).toBeUndefined();
  });

  it('[CO1220] has what is asked for as long as it is', () => {
    const glance = glanceOf();
    const told = (state: 'open' | 'answered'): void =>
      glance.hear({
        type: 'permission',
        session: 's',
        permission: {
          session: 's',
          requestId: 'r1',
          request: {},
          parent: null,
          state,
          openedAt: 1,
          closedAt: null,
          answer: null,
          isDelivered: false,
        },
      });
    told('open');
    expect(glance.glance.asks).toHaveLength(1);
    told('answered');
    expect(glance.glance.asks).toEqual([]);
  });

  it('[CO1220] shows how long something takes as a stopwatch does', () => {
    expect([0, 42_000, 61_500, 3_725_000, -5].map(stopwatch)).toEqual([
      '0:00',
      '0:42',
      '1:01',
      '1:02:05',
      '0:00',
    ]);
  });

  it('[CO1221] stands in a group by its state, those that ask first, or by its folder', () => {
    const sessions = [
      sampleSession({ id: 'a', state: 'asking', folder: '/x' }),
      sampleSession({ id: 'b', state: 'exited', folder: '/y' }),
      sampleSession({ id: 'c', state: 'active', folder: '/x' }),
      sampleSession({ id: 'd', state: 'idle', folder: null }),
    ];
    const shown = (grouping: 'state' | 'folder'): [string, string][] =>
      boardGroups(sessions, grouping).map(({ title, sessions: inIt }) => [
        title,
        inIt.map(({ id }) => id).join(),
      ]);
    expect(shown('state')).toEqual([
      ['Asks you', 'a'],
      ['Working', 'c'],
      ['Ready', 'd'],
      ['Not running', 'b'],
    ]);
    expect(shown('folder')).toEqual([
      ['/x', 'a,c'],
      ['/y', 'b'],
      ['Without a folder', 'd'],
    ]);
  });
});

describe.runIf(hasProgram('chromium-headless-shell'))('the board', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1222] has a row for each agent with what it does, and what it asks is answered there', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const first = await stage.launchPuppet();
    const say = (session: string, content: string): Promise<unknown> =>
      request(hub.url, hub.token, 'POST', `/api/sessions/${session}/prompts`, { clientId: content, content });
    await page.getByRole('button', { name: 'Signalbox: overview' }).click();
    const main = page.getByRole('main');
    await main.getByRole('region', { name: 'Ready' }).getByRole('link').waitFor();
    await say(first, 'run sh -c "sleep 60; true"');
    const asking = main.getByRole('region', { name: 'Asks you' });
    await asking.getByRole('article', { name: 'Allow Bash?' }).waitFor();
    await asking.getByRole('button', { name: 'Allow', exact: true }).click();
    const act = main.getByRole('region', { name: 'Working' }).locator('.board-act');
    await act.getByText(/^Bash sh -c/).waitFor();
    await act.getByText(/· \d:\d\d/).waitFor();
    await main.getByLabel('Find a session').fill('nothing like it');
    await main.getByText('No session has “nothing like it”').waitFor();
    await page.keyboard.press('Escape');
    await main.getByLabel('Group by').selectOption('folder');
    await main.getByRole('region', { name: stage.home }).getByRole('link').click();
    await page.waitForURL(`**/sessions/${first}`);
    await stage.click('Interrupt');
    await stage.reads('Interrupted');
    await page.goBack();
    await main.getByRole('region', { name: stage.home }).waitFor();
    await main.getByLabel('Group by').selectOption('state');
    await main.getByRole('region', { name: 'Ready' }).waitFor();
  });

  it('[CO1779] a row says on which branch its folder is, and how that stands', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    repository.git('checkout', '-q', '-b', 'mend-the-login');
    repository.write('draft.txt', 'x\n');
    await stage.launchPuppet([], repository.folder);
    await stage.launchPuppet();
    await page.goto(stage.hub.url);
    const row = page.getByRole('link', { name: 'branch mend-the-login, 1 file changed and not committed' });
    await row.getByText('mend-the-login ±1').waitFor();
    expect(await page.locator('.board-branch').count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 667 });
    await row.getByText('mend-the-login ±1').waitFor();
  });

  it('[CO1223][CO3772] all that waits is answered from the keyboard, the oldest first, whatever is heard first', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const sessions = [await stage.launchPuppet(), await stage.launchPuppet()];
    for (const session of sessions)
      await request(hub.url, hub.token, 'POST', `/api/sessions/${session}/prompts`, {
        clientId: session,
        content: 'run sh -c true',
      });
    await page.goto(hub.url);
    await page.getByRole('link', { name: '2 questions wait' }).click();
    const card = page.getByRole('article', { name: 'Allow Bash?' });
    await page.getByText('1 of 2').waitFor();
    const oldest = page.locator('.inbox-who a').first();
    const path = await oldest.getAttribute('href');
    const { others, release } = await holdBack(page, path?.split('/').at(-1) ?? '');
    await page.reload();
    await until(() => others() > 0);
    expect(await card.count()).toBe(0);
    await until(async () => (await page.locator('.calm[aria-busy=true]').count()) === 1);
    release();
    await page.getByText('1 of 2').waitFor();
    expect(await oldest.getAttribute('href')).toBe(path);
    await page.keyboard.press('ArrowRight');
    await page.getByText('2 of 2').waitFor();
    await until(async () => await card.getByRole('button', { name: 'Allow', exact: true }).isEnabled());
    await page.keyboard.press('a');
    await page.getByText('of 2').waitFor({ state: 'detached' });
    await until(async () => await card.getByRole('button', { name: 'Deny …' }).isEnabled());
    await page.keyboard.press('d');
    await page.getByLabel('What shall it do instead?').fill('a better way');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits for you').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

/** Keeps what a session is like from a page that is loaded again, until it is released; `others` counts the sessions that were told. */
async function holdBack(page: Page, id: string): Promise<{ others: () => number; release: () => void }> {
  const held: (() => void)[] = [];
  let [others, isHeld] = [0, true];
  await page.routeWebSocket('**/api/stream', (socket) => {
    socket.connectToServer().onMessage((message) => {
      for (const line of String(message).split('\n').filter(Boolean)) {
        const isSnapshot = line.includes('"snapshot"');
        if (isHeld && isSnapshot && line.includes(id)) held.push(() => socket.send(line));
        else socket.send(line);
        if (isSnapshot && !line.includes(id)) others += 1;
      }
    });
  });
  const release = (): void => {
    isHeld = false;
    for (const send of held) send();
  };
  return { others: () => others, release };
}
