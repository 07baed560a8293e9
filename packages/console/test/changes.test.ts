import { TestRepository } from '@signalbox/testing/hub/changes-stage';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const CODE = ['// Numbers', ...Array.from({ length: 30 }, (_, at) => `export const n${at} = ${at};`), ''];

/** A session in a repository with something changed, and its tab. */
async function openChanges(stage: ConsoleStage): Promise<TestRepository> {
  const repository = new TestRepository();
  repository.commit({ '.gitignore': 'ignored\n', 'src/numbers.ts': CODE.join('\n'), 'old.txt': 'a\n' });
  repository.write(
    'src/numbers.ts',
    CODE.join('\n').replace('n3 = 3', "n3 = 'three'").replace('n20 = 20', 'n20 = 21'),
  );
  repository.write('notes.md', '# Notes\n\nnew\n');
  await stage.launchPuppet([], repository.folder);
  await stage.page.getByRole('tab', { name: 'Changes' }).click();
  await file(stage.page, 'src/numbers.ts').waitFor();
  return repository;
}

function file(page: Page, path: string) {
  return page.getByRole('button', { name: path, expanded: true });
}

function line(page: Page, text: string) {
  return page.locator('.change-line').filter({ hasText: text });
}

describe.runIf(hasProgram('chromium-headless-shell'))('the changes of a session', () => {
  const openStage = ConsoleStage.ofFile();
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1640] are listed with their counts, shown unified and side by side in colours, and live', async () => {
    const stage = await openStage(browser, {
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
    });
    const { page } = stage;
    const repository = await openChanges(stage);
    await page.getByText('2 files').waitFor();
    await line(page, "n3 = 'three'").locator('.code-string').waitFor();
    expect(await line(page, "n3 = 'three'").getAttribute('data-sign')).toBe('+');
    expect(await line(page, 'n3 = 3').locator('.change-number').allTextContents()).toEqual(['5', '']);
    await line(page, '# Notes').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Side by side' }).click();
    const pair = page.locator('.change-pair').filter({ hasText: 'n20 = 21' });
    expect(await pair.locator('.change-line').count()).toBe(2);
    await pair.getByText('n20 = 20').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // What changes is shown by itself.
    repository.write('src/numbers.ts', CODE.join('\n').replace('n3 = 3', 'n3 = 333'));
    await line(page, 'n3 = 333').waitFor();
    await line(page, 'n20 = 21').waitFor({ state: 'detached' });
    repository.git('checkout', '-q', '-b', 'topic');
    repository.commit({ 'committed.txt': 'c\n' });
    await page.getByText('Nothing has changed').waitFor();
    await page.getByLabel('Compared with').selectOption('where it left a branch');
    await page.getByLabel('Branch', { exact: true }).selectOption('main');
    await file(page, 'committed.txt').waitFor();
    await line(page, 'n3 = 333').waitFor();
    await page.getByRole('tab', { name: 'Agent' }).click();
    await stage.isIdle();
  });

  it('[CO1642] are chosen, discarded and given back, and committed', async () => {
    const stage = await openStage(browser, { colorScheme: 'dark' });
    const { page } = stage;
    const repository = await openChanges(stage);
    await page.getByLabel('Commit notes.md').click();
    await page.getByRole('button', { name: 'Commit 1 file' }).waitFor();
    const numbers = page.locator('.changed-file').filter({ hasText: 'src/numbers.ts' });
    await numbers.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Discarded what changed in src/numbers.ts').waitFor();
    await numbers.waitFor({ state: 'detached' });
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await line(page, "n3 = 'three'").waitFor();
    await page.getByLabel('Commit message').fill('Write notes');
    await page.getByRole('button', { name: 'Commit 1 file' }).click();
    await page.getByText('1 file', { exact: true }).waitFor();
    expect(repository.git('log', '-1', '--format=%s', '--name-only').split('\n')).toEqual([
      'Write notes',
      '',
      'notes.md',
      '',
    ]);
    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByLabel('Commit message').fill('Count on');
    await page.getByRole('button', { name: 'Commit 1 file' }).click();
    await page.getByText('Nothing has changed').waitFor();
    await page.getByText(`Committed as ${repository.git('rev-parse', 'HEAD').slice(0, 8)}.`).waitFor();
    repository.write('.git/index.lock', '');
    repository.write('late', 'x\n');
    await page.getByLabel('Commit late').click();
    await page.getByText('Another git works in this repository (there is').waitFor();
  });

  it('[CO1643] are commented line by line, and the comments go to the agent as one prompt', async () => {
    const stage = await openStage(browser, { colorScheme: 'light' });
    const { page } = stage;
    const repository = await openChanges(stage);
    await page.getByRole('button', { name: 'Comment on line 5', exact: true }).click();
    await page
      .getByLabel('Comment on line 5', { exact: true })
      .and(page.locator('textarea'))
      .fill('Why a word?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('1 comment waits').waitFor();
    await page.getByRole('button', { name: 'Comment on line 22, as it was' }).click();
    await page.locator('.line-comment textarea').fill('It was right.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('2 comments wait').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    repository.write(
      'src/numbers.ts',
      CODE.join('\n').replace('n3 = 3', 'n3 = 33').replace('n20 = 20', 'n20 = 21'),
    );
    await page.getByText('It no longer fits its line').waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('button', { name: 'Send to the agent' }).click();
    await page.getByText('2 comments wait').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Agent' }).click();
    await stage.reads('Why a word?');
    await stage.reads('It was right.');
  });

  it('[CO1776] say at the end of each turn what it changed, and since the session began', async () => {
    const stage = await openStage(browser, {
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
    });
    const { page } = stage;
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\ntwo\n' });
    repository.write('draft.txt', 'not committed\n');
    await stage.launchPuppet(['--permission-mode', 'bypassPermissions'], repository.folder);
    await stage.say("run printf 'one\\n2\\nthree\\n' > a.txt && git commit -qam done");
    const first = page.getByRole('button', { name: '1 file changed +2 −1' });
    await first.waitFor();
    await stage.say('run mkdir src && echo new > src/new.ts');
    await page.getByRole('button', { name: '1 file changed +1 −0' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await first.click();
    await line(page, 'three').waitFor();
    expect(await page.getByRole('button', { name: 'src/new.ts' }).count()).toBe(0);
    await page.getByLabel('Turn', { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // What was there before, committed or not, is no change of this session.
    await page.getByLabel('Compared with').selectOption('the start of the session');
    await file(page, 'src/new.ts').waitFor();
    await file(page, 'a.txt').waitFor();
    expect(await page.getByText('draft.txt').count()).toBe(0);
    await page.setViewportSize({ width: 375, height: 667 });
    await page.getByLabel('Compared with').selectOption('before and after a turn');
    await page.getByText('1 file', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Agent' }).click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await file(page, 'draft.txt').waitFor();
  });

  it('[CO1641] can be read on a phone, and say why there are none', async () => {
    const phone = {
      viewport: { width: 375, height: 667 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark' as const,
    };
    const stage = await openStage(browser, phone);
    const { page } = stage;
    const repository = await openChanges(stage);
    await line(page, "n3 = 'three'").locator('.code-string').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const [inner, outer] = await page
      .locator('.changes-body')
      .evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(inner).toBeLessThanOrEqual(outer ?? 0);
    repository.write('long.txt', 'a word\n'.repeat(3000));
    await file(page, 'long.txt').waitFor();
    await page.getByRole('button', { name: 'Show more lines' }).click();
    await stage.launchPuppet();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByText('is in no git repository').waitFor();
  });
});
