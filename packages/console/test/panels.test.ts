import { fileURLToPath } from 'node:url';
import { TestRepository } from '@signalbox/testing/hub/changes-stage';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call as request, until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 720 };

const EVERYTHING = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

const SERVERS = {
  mcpServers: { every: { type: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'] } },
};
const HOOKS = {
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo looked' }] }] },
};

/** No fault that axe finds, and nothing beside the page, on a desk and on a phone. */
async function expectFit(page: Page): Promise<void> {
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
    expect(await violationsOn(page)).toEqual([]);
  }
}

/** Choose something in the palette by keys alone. */
async function choose(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands and sessions' });
  await palette.getByRole('combobox').fill(title);
  await palette.getByRole('option', { name: title, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
}

describe.runIf(hasProgram('chromium-headless-shell'))('panels', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2450][CO2451][CO2452][CO2460][CO2461] the board shows its first page at once, its agents as tiles, puts sessions away, and is worked by keys; a notice’s page says who answered', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const api = (method: string, path: string, body?: unknown) =>
      request(hub.url, hub.token, method, path, body);
    // Left before it is signed in, the browser would stay signed out.
    await page.waitForURL(({ pathname }) => pathname === '/');
    // A page that saw them would keep both for the next one.
    await page.goto('about:blank');
    for (const title of ['First', 'Second']) await api('POST', '/api/sessions', { title });
    // Pages of one session; those behind the first are held back.
    const held: (() => void)[] = [];
    let isHeld = true;
    await page.route(/\/api\/sessions\?/, async (route) => {
      if (isHeld && route.request().url().includes('after='))
        await new Promise<void>((done) => held.push(done));
      await route.continue({ url: route.request().url().replace('limit=100', 'limit=1') });
    });
    await page.goto(hub.url);
    const main = page.getByRole('main');
    const [first, second] = ['First', 'Second'].map((name) => main.getByRole('link', { name }));
    if (!first || !second) throw new TypeError('There are two rows');
    await second.waitFor();
    await until(() => held.length > 0);
    expect(await first.count()).toBe(0);
    isHeld = false;
    for (const release of held) release();
    await first.waitFor();
    await page.unroute(/\/api\/sessions\?/);

    await second.click();
    await stage.chooseInMenu('Put away');
    await page.getByRole('link', { name: /Second.*put away/ }).waitFor();
    await choose(page, 'Board');
    await first.waitFor();
    expect(await second.count()).toBe(0);
    await stage.click('1 put away');
    await second.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('second');
    await first.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Put away' }).getByText('Second').waitFor();
    await page.keyboard.press('Escape');
    await first.waitFor();

    await choose(page, 'Board as tiles');
    const agent = await TestAgent.dial(`${hub.url}/ws/third`, hub.token);
    await agent.say({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'All *is* green' }] },
    });
    const tile = page
      .getByRole('region', { name: 'Agents' })
      .getByRole('listitem')
      .filter({ hasText: 'third' });
    await tile.getByText('All *is* green').waitFor();
    await page.reload();
    await tile.getByText('All *is* green').waitFor();
    await tile.getByRole('link').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('.board-line:focus', { hasText: 'First' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('.board-line:focus', { hasText: 'third' }).waitFor();
    await expectFit(page);

    // Nobody looks, so a notice goes out.
    await page.goto('about:blank');
    const receiver = await NoticeReceiver.listen();
    await api('POST', '/api/notices/targets', {
      type: 'webhook',
      url: `${receiver.url}/hook`,
      mayAnswer: true,
      allowsPrivate: true,
      name: 'phone',
    });
    await agent.ask('q', { command: 'rm -r build' });
    const { answer } = await receiver.gets(({ event }) => event === 'asks');
    await page.goto(answer.page);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Allowed.').waitFor();
    expect(page.url()).not.toContain(answer.capability);
    await page.reload();
    await page.getByText(/was answered by .+ already \(allow\)/).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('[CO2454][CO2455][CO2456][CO2457][CO2458][CO2459] a session shows its servers, hooks and raw lines, and its changes beside the transcript; the hub its devices and decisions', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: DESK });
    const { page, hub } = stage;
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    await stage.launchPuppet(
      [
        '--mcp-config',
        JSON.stringify(SERVERS),
        '--settings',
        JSON.stringify(HOOKS),
        '--include-hook-events',
        '--dangerously-skip-permissions',
      ],
      repository.folder,
    );
    await stage.say('run echo two > a.txt');
    await stage.reads('done:');
    await stage.isIdle();

    const beside = page.getByRole('button', { name: 'Changes beside the transcript' });
    await beside.click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByText('a.txt').first().waitFor();
    await stage.transcript.getByText('done:').waitFor();
    const divider = page.getByRole('separator', { name: 'Width of the transcript' });
    await divider.focus();
    await page.keyboard.press('ArrowRight');
    await until(async () => (await divider.getAttribute('aria-valuenow')) === '52');
    expect(await violationsOn(page)).toEqual([]);
    await page.reload();
    await changes.getByText('a.txt').first().waitFor();
    expect(await divider.getAttribute('aria-valuenow')).toBe('52');
    await page.setViewportSize(PHONE);
    await changes.waitFor({ state: 'detached' });
    await stage.chooseInMenu('Details');
    await page.setViewportSize(DESK);

    const server = page.getByRole('listitem', { name: 'every' });
    await server.getByText(/^connected/).waitFor();
    await server.getByRole('button', { name: /\d+ tools/ }).click();
    await server.getByText('echo', { exact: true }).waitFor();
    const power = server.getByRole('switch');
    await power.click();
    await server.getByText(/^off/).waitFor();
    expect(await power.getAttribute('aria-checked')).toBe('false');
    await power.click();
    await server.getByText(/^connected/).waitFor();
    await server.getByRole('button', { name: 'Reconnect' }).click();
    await server.getByRole('button', { name: 'Reconnect', disabled: false }).waitFor();
    await expectFit(page);

    await page.getByRole('tab', { name: 'Hooks' }).click();
    const hooks = page.getByRole('region', { name: 'Hooks' });
    await hooks.getByText('PreToolUse:Bash').waitFor();
    await hooks.getByRole('button', { name: 'What it wrote last' }).click();
    await hooks.getByText('looked', { exact: true }).waitFor();
    await hooks.getByText('echo looked').waitFor();
    await expectFit(page);

    await page.getByRole('tab', { name: 'Raw lines' }).click();
    const lines = page.getByRole('list', { name: 'Lines' });
    await lines.getByText('result/success').waitFor();
    await page.getByRole('searchbox', { name: 'Find in the lines' }).fill('result/success');
    await page.getByText(/^1 of \d+ lines$/).waitFor();
    await lines.getByRole('button', { expanded: false }).first().click();
    await lines.locator('pre').filter({ hasText: '"subtype":"success"' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find in the lines' }).fill('');
    await stage.click('Hold');
    const { pathname } = new URL(page.url());
    const prompt = { clientId: 'c', content: 'say something held' };
    await request(hub.url, hub.token, 'POST', `/api${pathname}/prompts`, prompt);
    await page.getByRole('button', { name: /^Go on \(\d+ new\)$/ }).waitFor();
    expect(await lines.getByText('something held').count()).toBe(0);
    await page.getByRole('button', { name: /^Go on/ }).click();
    await lines.getByText('something held').first().waitFor();
    await expectFit(page);

    await choose(page, 'Devices');
    await request(hub.url, hub.token, 'POST', '/api/devices', {
      person: 'Bob',
      name: 'tablet',
      scope: 'watch',
    });
    await page.getByLabel('Name of another device').fill('my phone');
    await stage.click('Make a link');
    await page.getByText(/\/sign-in#/).waitFor();
    await expectFit(page);
    await page.reload();
    await stage.click('Sign out tablet …');
    await stage.click('Sign out');
    await stage.click('1 that were signed out');
    await page.getByRole('list', { name: 'Signed out' }).getByText('tablet').waitFor();

    await choose(page, 'Audit');
    const decisions = page.getByRole('list', { name: 'Decisions' });
    await decisions.getByText('revoke device').waitFor();
    await page.getByRole('searchbox', { name: 'Find' }).fill('mcp_toggle');
    await page.getByText(/^2 of the latest \d+$/).waitFor();
    await decisions.getByText('every false').waitFor();
    await expectFit(page);
  });
});
