import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository } from '@signalbox/testing/hub/git-repository';
import { call } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('a new session', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1670][CO1671] gets a worktree from a chosen base, with a set-up that is trusted there; and another goes on with what it said', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const repository = new GitRepository(join(stage.home, 'shop'));
    repository.git('branch', 'older');
    repository.commit('new.js', 'two\n');
    repository.write('.signalbox/worktree.json', JSON.stringify({ setup: 'touch ready', copy: ['.env*'] }));
    const lookAt = async (): Promise<void> => {
      for (const [width, height] of [
        [375, 667],
        [1280, 800],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await violationsOn(page)).toEqual([]);
      }
    };
    const begin = async (): Promise<void> => {
      await page.getByRole('button', { name: 'New session' }).first().click();
      await page.getByLabel('Agent').selectOption('scripted');
    };
    await begin();
    await page.getByLabel('Folder').fill(repository.root);
    await page.getByRole('checkbox', { name: 'In a worktree' }).check();
    await page.getByLabel('Begins at').selectOption('older');
    await page.getByText('touch ready').waitFor();
    await page.getByRole('checkbox', { name: 'I trust it' }).check();
    await lookAt();
    await page.getByLabel('First prompt').fill('Hello there');
    await stage.click('Start');
    await stage.reads('this list');
    await stage.isIdle();
    const sessions = async () => (await call(hub.url, hub.token, 'GET', '/api/sessions')).body.items;
    const [first] = await sessions();
    expect(first.folder).toBe(join(stage.home, 'worktrees/shop/hello-there'));
    expect(['ready', 'src/index.js', 'new.js'].map((path) => existsSync(join(first.folder, path)))).toEqual([
      true,
      true,
      false,
    ]);

    await begin();
    await page.getByText('Go on with a conversation …').click();
    await page.getByLabel('Find a conversation').fill('nothing of the kind');
    await page.getByText('None has “nothing of the kind” in it.').waitFor();
    await page.getByLabel('Find a conversation').fill('héllo shop');
    await page.getByRole('radio', { name: 'Hello there' }).check();
    expect(await page.getByLabel('Folder').inputValue()).toBe(first.folder);
    expect(await page.getByRole('checkbox', { name: 'With a copy of it' }).isChecked()).toBe(true);
    await lookAt();
    await page.getByLabel('First prompt').fill('Hello again');
    await stage.click('Start');
    await page.getByRole('heading', { name: 'Hello again' }).waitFor();
    await stage.isIdle();
    const [second] = await sessions();
    expect(second).toMatchObject({ folder: first.folder, lastPrompt: 'Hello again' });
    expect(second.agentSession).not.toBe(first.agentSession);
  });
});
