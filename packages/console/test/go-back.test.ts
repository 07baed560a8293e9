import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('going back to a prompt', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2123] puts the files back after a look at them, and goes on in a session of its own with the prompt at hand', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    const id = await stage.launchPuppet(['--permission-mode=acceptEdits']);
    const [file, other] = [join(stage.home, 'note.txt'), join(stage.home, 'other.txt')];
    for (const words of [`write ${file} first`, `write ${file} second`, `write ${other} third`]) {
      await stage.turn(words);
    }
    const prompt = stage.transcript.getByText(`write ${file} second`, { exact: true });
    await prompt.hover();
    await page.getByRole('button', { name: 'Go back to before this prompt …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Go back to before this prompt?' });
    const files = dialog.getByRole('list', { name: 'Files that would change' });
    await files.getByText('note.txt').waitFor();
    expect(await files.getByRole('listitem').count()).toBe(2);
    expect(await violationsOn(page)).toEqual([]);
    const { SIGNALBOX_SCREENSHOTS: folder } = process.env;
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      if (folder) await page.screenshot({ path: join(folder, `go-back-${width}.png`) });
    }
    // Nothing was changed by the look.
    expect(readFileSync(file, 'utf8')).toContain('second');
    await dialog.getByRole('checkbox', { name: /^The files/ }).check();
    await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
    await page.getByRole('heading', { name: /^Fork of/ }).waitFor();
    expect(new URL(page.url()).pathname).not.toBe(`/sessions/${id}`);
    expect([readFileSync(file, 'utf8').trim(), existsSync(other)]).toEqual(['first', false]);
    expect(await stage.box.inputValue()).toBe(`write ${file} second`);
    await page.goBack();
    await stage.reads('put the files back to an earlier prompt');
    await stage.reads(`write ${other} third`);
  });

  it('[LN3371] goes on from a reply, in a session that knows nothing after it', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    const id = await stage.launchPuppet();
    for (const words of ['say one', 'say two']) await stage.turn(words);
    await stage.transcript.getByText('one', { exact: true }).hover();
    await page.getByRole('button', { name: 'Go on from this reply in a new session …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Go on from this reply?' });
    await dialog.getByText('A new session knows the conversation up to this reply').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const { SIGNALBOX_SCREENSHOTS: folder } = process.env;
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      if (folder) await page.screenshot({ path: join(folder, `go-on-${width}.png`) });
    }
    const reply = await stage.transcript.locator('.row.reply').first().getAttribute('data-seq');
    const asked = page.waitForRequest((request) => request.url().endsWith(`/api/sessions/${id}/fork`));
    await dialog.getByRole('button', { name: 'Go on', exact: true }).click();
    expect((await asked).postDataJSON()).toEqual({ after: Number(reply) });
    await page.getByRole('heading', { name: /^Fork of/ }).waitFor();
    expect(new URL(page.url()).pathname).not.toBe(`/sessions/${id}`);
    await stage.turn('say three');
  });
});
