import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '@signalbox/protocol/hub';
import { NotedFolder } from '@signalbox/testing/hub/loop-stage';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { changeFrom, rulesFrom, standingOf } from '../src/model/loop-form.ts';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const LOOP: Loop = {
  id: 'l',
  spec: {
    title: 'chores',
    prompt: 'go',
    promptFile: null,
    launch: { agent: 'claude', folder: '/x' },
    keepSession: false,
    allowAll: false,
    maxIterations: 10,
    untilText: 'DONE',
    budgetUsd: 2,
  },
  author: { by: 'person', name: 'Ada', device: 'phone' },
  version: 7,
  state: 'running',
  step: 'turn',
  iteration: 3,
  failuresInRow: 0,
  turns: 4,
  costUsd: 0.5,
  end: null,
  reason: null,
  current: null,
  changes: null,
  createdAt: 0,
  updatedAt: 5000,
};

describe('what a form says of a loop', () => {
  it('[CO1597] only what was changed is sent; what was emptied is taken away', () => {
    const form = (words: Record<string, string>, ...checked: string[]) =>
      rulesFrom(
        (name) => words[name] ?? '',
        (name) => checked.includes(name),
      );
    const same = form({ maxIterations: '10', untilText: 'DONE', budgetUsd: '2' });
    expect(changeFrom(LOOP, same, 'go')).toEqual({});
    const other = form({ maxIterations: '30', untilCommand: 'npm test', budgetUsd: '' }, 'allowAll');
    expect(changeFrom(LOOP, other, 'go on')).toEqual({
      maxIterations: 30,
      untilText: null,
      untilCommand: 'npm test',
      budgetUsd: null,
      allowAll: true,
      prompt: 'go on',
    });
    const inFile = { ...LOOP, spec: { ...LOOP.spec, prompt: null, promptFile: '/t.md' } };
    expect(changeFrom(inFile, same, '/u.md')).toEqual({ promptFile: '/u.md' });
  });

  it('[CO1597] how a loop stands is told in a line', () => {
    expect(standingOf(LOOP, 61_000)).toBe('running · 3 of 10 iterations · 4 turns · $0.5000 · 1m 1s');
    const ended = { ...LOOP, state: 'ended', end: 'limit' } as const;
    expect(standingOf(ended, 61_000)).toContain(
      'ended at a limit · 3 of 10 iterations · 4 turns · $0.5000 · 5s',
    );
  });
});

describe.runIf(hasProgram('chromium-headless-shell'))('loops in the console', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1596] are begun, watched, paused, changed, resumed, stopped and forgotten, at a desk and on a phone', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: { width: 1280, height: 800 } });
    const { page } = stage;
    mkdirSync(join(stage.home, '.local/bin'), { recursive: true });
    NotedFolder.writeAgent(join(stage.home, '.local/bin/claude'));
    const folder = new NotedFolder(temporaryFolder());
    const found: string[] = [];
    const lookAt = async (screen: string): Promise<void> => {
      for (const violation of await violationsOn(page)) found.push(`${screen}: ${violation}`);
      const isWide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      if (isWide) found.push(`${screen} is wider than its window`);
    };
    await stage.click('New loop');
    await page.getByLabel('Task').fill('first words');
    await page.getByRole('combobox', { name: /^Agent/ }).selectOption('claude');
    await page.getByLabel('Folder').fill(folder.path);
    await page.getByLabel('Iterations at most').fill('4');
    await lookAt('a new loop');
    await stage.click('Begin');
    const loop = (iteration: string) => page.getByRole('region', { name: `first words · ${iteration}` });
    await folder.prompted(1);
    await loop('1/4').getByText('Loop: running').waitFor();

    await stage.click('Pause first words');
    await loop('1/4').getByText('pauses after this iteration').waitFor();
    folder.go(1);
    await loop('1/4').getByText('Loop: paused').waitFor();
    await stage.click('Edit … first words');
    await page.getByLabel('Task').fill('other words');
    await page.getByLabel('Iterations at most').fill('5');
    await lookAt('changing a loop');
    await stage.click('Change');
    await loop('1/5').waitFor();
    await stage.click('Resume first words');
    await folder.prompted(2);
    folder.go(2);
    await folder.prompted(3);
    expect(folder.linesOf('prompts')).toEqual(['first words', 'other words', 'other words']);
    const rows = loop('3/5').getByRole('link');
    await page.getByRole('button', { name: '2 other iterations' }).click();
    await until(async () => (await rows.count()) === 3);
    await lookAt('the board');

    // The other iterations stand below the newest in the list of a session's page, and lead to it.
    await rows.last().click();
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await list.getByText('Hide the other iterations').waitFor();
    expect(await list.getByRole('link').allInnerTexts()).toEqual([
      expect.stringContaining('first words · 3/5'),
      expect.stringContaining('first words · 2/5'),
      expect.stringContaining('first words · 1/4'),
    ]);
    const bar = page.getByRole('region', { name: 'Loop' });
    await bar.getByRole('link', { name: 'Go to iteration 3' }).click();
    await bar.getByText('3 of 5 iterations').waitFor();
    await bar.getByRole('link').waitFor({ state: 'detached' });
    await lookAt('a session of a loop');
    await page.setViewportSize({ width: 375, height: 667 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await lookAt('a session of a loop on a phone');
    await page.goto(stage.hub.url);
    await loop('3/5').waitFor();
    await lookAt('the board on a phone');
    await stage.click('Edit … first words');
    await page.getByRole('dialog').waitFor();
    await lookAt('changing a loop on a phone');
    await stage.click('Cancel');
    await stage.click('Stop … first words');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
    await loop('3/5').getByText('Loop: stopped').waitFor();
    await stage.click('Forget first words');
    await page.getByRole('region', { name: 'Not running' }).waitFor();
    const { body } = await call(stage.hub.url, stage.hub.token, 'GET', '/api/loops');
    expect(body.items).toEqual([]);
    expect(found).toEqual([]);
  });
});
