import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository } from '@signalbox/testing/hub/git-repository';
import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const SIZES = [
  { width: 375, height: 667 },
  { width: 1280, height: 800 },
];

/** On a phone and on a desk: nothing that axe finds, and nothing to move sideways. */
async function looksWell(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await violationsOn(page)).toEqual([]);
    const isWide = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth);
    expect(isWide).toBe(false);
    const { SIGNALBOX_SCREENSHOTS: folder } = process.env;
    if (folder) await page.screenshot({ path: join(folder, `${name}-${size.width}.png`) });
  }
}

/** A session in a worktree of this repository, whose set-up is trusted. */
async function launchIn(
  { hub }: ConsoleStage,
  repository: GitRepository,
  id: string,
  setup: string,
): Promise<void> {
  const text = JSON.stringify({ setup });
  repository.write('.signalbox/worktree.json', text);
  const ask = (path: string, body: object) => call(hub.url, hub.token, 'POST', path, body);
  expect((await ask('/api/trusted-setups', { folder: repository.root, text })).status).toBe(200);
  const launch = { agent: 'scripted', folder: repository.root, worktree: { slug: id } };
  expect((await ask('/api/sessions', { id, launch })).status).toBe(201);
}

describe.runIf(hasProgram('chromium-headless-shell'))('worktrees', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1820] a set-up shows what it says while the agent waits for it, and why it has failed', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const repository = new GitRepository(join(stage.home, 'shop'));
    const go = join(stage.home, 'go');
    const wait = `until [ -e ${go} ]; do sleep 0.1; done`;
    await launchIn(stage, repository, 'one', `printf 'first \\033[32mgreen\\033[m words\\n'; ${wait}`);
    await page.goto(`${hub.url}/sessions/one`);
    const panel = page.getByRole('region', { name: 'Set-up of the worktree' });
    await panel.getByText('first green words').waitFor();
    await panel.getByText('The agent starts after it.').waitFor();
    expect(await panel.locator('.ansi-green').innerText()).toBe('green');
    await looksWell(page, 'setup-running');
    writeFileSync(go, '');
    await stage.isIdle();
    await panel.waitFor({ state: 'detached' });
    await launchIn(stage, repository, 'two', 'seq 200; echo no such package; exit 7');
    await page.goto(`${hub.url}/sessions/two`);
    await stage.reads('no such package');
    expect(await panel.count()).toBe(0);
  });

  it('[CO1821] those that are left over are listed with why they stay, and swept where nothing would be lost', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const repository = new GitRepository(join(stage.home, 'shop'));
    for (const id of ['clean', 'dirty']) {
      await launchIn(stage, repository, id, 'true');
      const look = () => call(hub.url, hub.token, 'GET', `/api/sessions/${id}`);
      await until(async () => (await look()).body.state === 'idle');
      const folder = join(stage.home, 'worktrees/shop', id);
      // The worktree stays with what is not committed, whoever removes its session.
      writeFileSync(join(folder, 'note.txt'), 'mine\n');
      await call(hub.url, hub.token, 'POST', `/api/sessions/${id}/stop`);
      expect((await call(hub.url, hub.token, 'DELETE', `/api/sessions/${id}`)).status).toBe(200);
    }
    repository.git('-C', join(stage.home, 'worktrees/shop/clean'), 'clean', '-fdq');
    await page.goto(hub.url);
    await stage.manage('Left-over worktrees');
    await stage.click('Look for left-over worktrees');
    const rows = page.getByRole('region', { name: 'Left-over worktrees' }).getByRole('listitem');
    await rows.filter({ hasText: 'worktrees/shop/clean' }).getByText('a sweep removes it').waitFor();
    await rows.filter({ hasText: 'worktrees/shop/dirty' }).getByText('Stays: ').waitFor();
    await looksWell(page, 'left-worktrees');
    await stage.click('Sweep 1 worktree');
    await page.getByText('1 worktree removed.').waitFor();
    expect(await rows.count()).toBe(1);
    expect(await page.getByRole('button', { name: /^Sweep/ }).count()).toBe(0);
    expect(repository.worktrees).toHaveLength(2);
  });
});
