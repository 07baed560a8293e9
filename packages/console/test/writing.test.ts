import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

const HEBREW = 'שלום עולם';

describe.runIf(hasProgram('chromium-headless-shell'))('what people write', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO260] keeps its lines when it is changed in the queue', async () => {
    const { page, store, session } = await showRecord(browser, { lines: [[ADA, prompt('go')]] });
    const box = page.getByLabel('Prompt', { exact: true });
    await box.fill('first line\nsecond line');
    await box.press('Enter');
    const waiting = async (): Promise<unknown> => (await store.inbox.list(session))[0]?.content;
    await until(async () => (await waiting()) === 'first line\nsecond line');
    await page.getByRole('button', { name: 'Change this prompt' }).click();
    const field = page.getByLabel('Waiting prompt', { exact: true });
    expect(await field.inputValue()).toBe('first line\nsecond line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('third line');
    await page.keyboard.press('Enter');
    await until(async () => (await waiting()) === 'first line\nsecond line\nthird line');
    const change = page.getByRole('button', { name: 'Change this prompt' });
    await change.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await change.and(page.locator(':focus')).waitFor();
  });

  it('[CO818] is kept when the prompt that is being changed goes away, and can be left without a key', async () => {
    const { page } = await showRecord(browser, { lines: [[ADA, prompt('go')]] });
    const box = page.getByLabel('Prompt', { exact: true });
    await box.fill('the first try');
    await box.press('Enter');
    const change = page.getByRole('button', { name: 'Change this prompt' });
    await change.click();
    await page.keyboard.type(', left');
    await page.getByRole('button', { name: 'Leave it as it was' }).click();
    await change.click();
    await page.keyboard.type(', made better');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Cancel this prompt' }).click();
    await page.getByText('What you wrote is in the box').waitFor();
    expect(await box.inputValue()).toBe('the first try, made better');
    expect(await page.getByLabel('Waiting prompt', { exact: true }).count()).toBe(0);
  });

  it.each([
    [667, 375],
    [375, 340],
  ])('[CO491] at %d × %d leaves room for what was said, whatever else there is', async (width, height) => {
    const stage = await ConsoleStage.open(browser, { viewport: { width, height } });
    const { page } = stage;
    const folder = join(stage.home, 'project');
    mkdirSync(join(folder, '.claude'), { recursive: true });
    const settings = { hooks: {}, env: { A: '1' }, permissions: { allow: ['Bash(ls:*)', 'Bash(pwd)'] } };
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify(settings));
    await stage.launchPuppet([], folder);
    // While the turn runs there are more buttons.
    await stage.turn('say something to read');
    const notice = page.getByRole('region', { name: 'Trust' });
    await stage.box.blur();
    await notice.waitFor();
    await stage.box.fill('one line\nand another');
    await notice.waitFor({ state: 'hidden' });
    expect((await stage.transcript.boundingBox())?.height).toBeGreaterThan(130);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height);
    const { y = height, height: tall = 0 } = (await page.locator('.status-line').boundingBox()) ?? {};
    expect(y + tall).toBeLessThanOrEqual(height);
    await stage.box.fill('/');
    const commands = page.getByRole('listbox');
    await commands.waitFor();
    const [list, box] = [await commands.boundingBox(), await page.locator('.prompt-box').boundingBox()];
    expect(list?.width).toBeLessThanOrEqual(box?.width ?? 0);
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    await stage.box.press('ArrowUp');
    const last = await commands.getByRole('option', { selected: true }).boundingBox();
    expect((last?.y ?? height) + (last?.height ?? 0)).toBeLessThanOrEqual(
      (list?.y ?? 0) + (list?.height ?? 0) + 1,
    );
  });

  it('[CO263] is read from the right where it begins so, and code from the left', async () => {
    const reply = `# ${HEBREW}\n\n${HEBREW} *one*\n\n- ${HEBREW}\n\n  \`\`\`\n  const a = 1;\n  \`\`\`\n\n| ${HEBREW} |\n|---|\n| b |\n\nand English`;
    const lines = [
      [ADA, prompt(HEBREW)],
      [AGENT, said(text(reply))],
    ] as const;
    const { page } = await showRecord(browser, { lines, title: HEBREW });
    const log = page.getByRole('log');
    await log.getByText('and English').waitFor();
    const box = page.getByLabel('Prompt', { exact: true });
    await box.fill(HEBREW);
    const fromRight = [
      box,
      page.locator('.prompt-text'),
      page.locator('.page-title'),
      page.locator('.list-title'),
      ...['h2', 'p >> nth=0', 'ul', 'table'].map((name) => log.locator(`.markdown ${name}`)),
    ];
    const count = (element: Locator, direction: string): Promise<number> =>
      element.and(page.locator(`:dir(${direction})`)).count();
    for (const element of fromRight) expect(await count(element, 'rtl'), String(element)).toBe(1);
    for (const element of [log.locator('pre'), log.getByText('and English')])
      expect(await count(element, 'ltr')).toBe(1);
  });
});
