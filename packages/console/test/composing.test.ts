import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository } from '@signalbox/testing/hub/git-repository';
import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const PHONE = { width: 375, height: 720 };
const DESK = { width: 1280, height: 800 };

describe.runIf(hasProgram('chromium-headless-shell'))('composing', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2360][CO2361][CO2362][CO2363][CO3774][CO3777][CO3778] with history, files of the folder, files as text, an ordered queue, switches, meters and saved prompts, on a desk and on a phone', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: DESK });
    const { page, hub, box } = stage;
    const repository = new GitRepository(join(stage.home, 'shop'));
    repository.write('docs/a guide.md', '# Guide\n');
    repository.write('src/main.ts', 'one\n');
    const lookAt = async (): Promise<void> => {
      for (const size of [PHONE, DESK]) {
        await page.setViewportSize(size);
        expect(await violationsOn(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
      }
    };
    const holds = (words: string) => until(async () => (await box.inputValue()) === words);

    await stage.launchPuppet();
    await stage.turn('say from another session');
    const session = await stage.launchPuppet([], repository.root);
    await stage.turn('say first');

    // [CO2360] Files of the folder behind an @, taken by keyboard and by pointer.
    await box.fill('say @MAIN');
    const files = page.getByRole('listbox', { name: 'Files' });
    await files.getByRole('option', { name: 'main.ts' }).waitFor();
    await box.press('Tab');
    await holds('say @src/main.ts ');
    await box.pressSequentially('and @gui');
    await files.getByRole('option', { name: 'a guide.md' }).click();
    await holds('say @src/main.ts and @"docs/a guide.md" ');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Prompt');

    // A text file goes along as text, and is a part of the prompt that can be opened.
    await page.locator('input[type=file]').setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('remember the milk') },
      { name: 'tool.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255]) },
    ]);
    await page.getByText('tool.bin is neither text').waitFor();
    await page.getByRole('button', { name: 'Leave out notes.txt' }).waitFor();
    await box.press('Enter');
    const sent = stage.transcript.getByRole('button', { name: 'notes.txt' });
    await sent.click();
    await stage.reads('remember the milk');
    await stage.isIdle();

    // [CO2361] Back through what was said here, and then elsewhere.
    await box.press('ArrowUp');
    await holds('say @src/main.ts and @"docs/a guide.md"');
    await box.press('ArrowUp');
    await holds('say first');
    await box.press('ArrowUp');
    await holds('say from another session');
    await box.press('ArrowDown');
    await holds('say first');
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    await holds('');

    // [CO2363] What is in the box is kept under a name, and is there for another page.
    await box.fill('say the kept words');
    await stage.click('Prompts …');
    const prompts = page.getByRole('dialog', { name: 'Prompts' });
    await prompts.getByLabel('Keep what is in the box').fill('my words');
    await prompts.getByRole('button', { name: 'Keep', exact: true }).click();
    await prompts.getByRole('button', { name: 'my words say the kept words' }).waitFor();
    await lookAt();
    await page.keyboard.press('Escape');
    await box.fill('');
    await page.reload();
    await stage.isIdle();
    await stage.click('Prompts …');
    await prompts.getByLabel('Find a prompt').fill('kept wo');
    await prompts.getByRole('button', { name: 'my words say the kept words' }).waitFor();
    await prompts.getByLabel('Find a prompt').press('Enter');
    await holds('say the kept words');
    await stage.click('Prompts …');
    await prompts.getByRole('button', { name: 'Remove my words …' }).click();
    await prompts.getByRole('button', { name: 'Remove it' }).click();
    await prompts.getByText('None yet').waitFor();
    await page.keyboard.press('Escape');
    await box.fill('');

    // [CO2362] The model and its thinking are switched at the box; how full the conversation is, and what is spent of a budget.
    const context = page.getByRole('button', { name: /^Context: \d+ % full, / });
    await context.click();
    await page.getByRole('group', { name: 'Context' }).getByRole('definition').first().waitFor();
    await page.keyboard.press('Escape');
    const switches = page.getByRole('group', { name: 'Model and thinking' });
    await page.getByTitle('Model and thinking').click();
    await switches.getByRole('button', { name: 'Opus' }).waitFor();
    // [CO3774] It stands above its button, and not in a corner of the page.
    const [above, below] = [
      await switches.boundingBox(),
      await page.getByTitle('Model and thinking').boundingBox(),
    ];
    expect(below && above && below.y - above.y - above.height).toBeLessThan(20);
    await lookAt();
    await switches.getByRole('button', { name: 'Opus' }).click();
    await stage.reads('switched to opus');
    await page.getByTitle('Model and thinking').click();
    await switches.getByRole('button', { name: 'Off' }).click();
    await stage.reads('switched thinking off');
    await page.getByText(', no thinking').waitFor();
    const limit = { session, usd: 5 };
    expect((await call(hub.url, hub.token, 'POST', '/api/budgets', limit)).status).toBe(201);
    await stage.turn('say cheap');
    await page.getByRole('button', { name: /^Budget: \$[\d.]+ of \$5\.00$/ }).waitFor();

    // The queue: prompts change places, and those of others are touched after a question.
    const grant = { person: 'Grace', name: 'phone', scope: 'drive' };
    const { token } = (await call(hub.url, hub.token, 'POST', '/api/devices', grant)).body;
    await stage.say('run sh -c true');
    await page.getByRole('article', { name: 'Allow Bash?' }).waitFor();
    const queue = page.getByRole('list', { name: 'Waiting prompts' });
    const order = () => queue.locator('.queued-text').allTextContents();
    const waiting = async (): Promise<string[]> => {
      const { body } = await call(hub.url, hub.token, 'GET', `/api/sessions/${session}/prompts`);
      return body.items.map(({ content }: { content: string }) => content);
    };
    for (const words of ['say one', 'say two']) await stage.say(words);
    // In the list they are there before the hub has them.
    await until(async () => (await waiting()).length === 2);
    await call(hub.url, token, 'POST', `/api/sessions/${session}/prompts`, {
      clientId: 'g',
      content: 'say hers',
    });
    await queue.getByText('Grace').waitFor();
    await lookAt();
    await queue
      .getByRole('listitem')
      .filter({ hasText: 'say hers' })
      .getByRole('button', { name: 'Move this prompt up' })
      .click();
    await until(async () => (await order()).join() === 'say one,say hers,say two');
    await queue
      .getByRole('listitem')
      .filter({ hasText: 'say one' })
      .getByRole('button', { name: 'Move this prompt down' })
      .click();
    await until(async () => (await order()).join() === 'say hers,say one,say two');
    const hers = queue.getByRole('listitem').filter({ hasText: 'say hers' });
    await hers.getByRole('button', { name: 'Cancel this prompt' }).click();
    await queue.getByText('Cancel what Grace wrote?').waitFor();
    await queue.getByRole('button', { name: 'Leave it' }).click();
    await hers.getByRole('button', { name: 'Cancel this prompt' }).click();
    await queue.getByRole('button', { name: 'Cancel it' }).click();
    await until(async () => (await order()).join() === 'say one,say two');
    expect(await waiting()).toEqual(['say one', 'say two']);

    // [CO3777] What goes into the turn that runs is said at once; an input method ends a word with Enter, and nothing is sent.
    await stage.box.fill('use sh for it');
    await stage.box.press('Control+Enter');
    await stage.reads('use sh for it');
    const input = await page.context().newCDPSession(page);
    await stage.box.focus();
    await input.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await page.keyboard.press('Enter');
    await input.send('Input.insertText', { text: '日本' });
    expect(await order()).toEqual(['say one', 'say two']);
    await stage.box.press('Enter');
    await queue.getByText('日本').waitFor();
    // [CO3778] Who wants no motion sees none: cards come without rising.
    const motion = (): Promise<string> =>
      page.evaluate("getComputedStyle(document.querySelector('.card')).animationName");
    expect(await motion()).toBe('rise');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await motion()).toBe('none');

    // Nothing of what was said here stays in a browser that is signed out.
    const stored = (): Promise<string> => page.evaluate('JSON.stringify({ ...localStorage })');
    expect(await stored()).toContain('say first');
    await stage.click('Sign out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await until(async () => !(await stored()).includes('say first'));
  });

  it('[CO2364] a folder for a new session is one of the latest or found by going through those that are there, by keyboard alone', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: PHONE });
    const { page } = stage;
    const top = join(stage.home, 'work');
    for (const name of ['shop/.git', 'shop/api', 'other']) mkdirSync(join(top, name), { recursive: true });
    writeFileSync(join(top, 'shape.txt'), '');
    await page.getByRole('button', { name: 'New session' }).first().click();
    const field = page.getByLabel('Folder');
    const places = page.getByRole('listbox', { name: 'Places' });
    await until(async () => (await page.evaluate('document.activeElement.name')) === 'folder');
    await page.getByLabel('Agent').selectOption('scripted');
    await field.fill(`${stage.home}/wo`);
    await places.getByRole('option', { name: /work$/ }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await field.press('ArrowDown');
    await field.press('Enter');
    await until(async () => (await field.inputValue()) === `${top}/`);
    await places.getByRole('option', { name: `${top}/shop git` }).waitFor();
    expect(await places.getByRole('option').allTextContents()).toEqual([`${top}/other `, `${top}/shop git`]);
    await field.press('ArrowUp');
    await field.press('Tab');
    await until(async () => (await field.inputValue()) === `${top}/shop`);
    await places.waitFor({ state: 'detached' });
    await field.fill(`${top}/shop/`);
    await places.getByRole('option', { name: 'api' }).waitFor();
    // Esc leaves the list, and not the dialog.
    await field.press('Escape');
    await places.waitFor({ state: 'detached' });
    await page.getByLabel('First prompt').fill('Hello');
    await stage.click('Start');
    await stage.reads('this list');
    const { body } = await call(stage.hub.url, stage.hub.token, 'GET', '/api/sessions');
    expect(body.items[0].folder).toBe(`${top}/shop`);
  });
});
