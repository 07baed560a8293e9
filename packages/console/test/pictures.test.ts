import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import { call } from '@signalbox/testing/hub/test-parts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { addProjects, JOBS, QUESTION, startPictureModel } from './picture-scene.ts';
import { shows, type } from './terminal-page.ts';

/** Where `npm run pictures` keeps them. Without it they are made all the same, and thrown away. */
const KEPT =
  process.env.SIGNALBOX_PICTURES === undefined
    ? undefined
    : new URL('../../../docs/pictures/', import.meta.url);

/** Those that a document shows; the others are made for whoever looks at them. */
const SHOWN = new Set([
  'board-desk-light',
  'board-desk-dark',
  'board-phone-light',
  'session-desk-light',
  'session-desk-dark',
  'session-phone-light',
  'changes-desk-light',
  'changes-phone-dark',
  'terminal-desk-dark',
  'inbox-desk-light',
  'inbox-phone-dark',
]);

/** A document with pictures stays quick to open. */
const MAX_BYTES = 150_000;

const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 375, height: 667 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

const MORE_LOOKS: readonly [string, 'light' | 'dark', BrowserContextOptions][] = [
  ['desk', 'dark', DESK],
  ['phone', 'light', PHONE],
];

const LOOKS: readonly [string, 'light' | 'dark', BrowserContextOptions][] = [
  ['desk', 'light', DESK],
  ['phone', 'dark', PHONE],
  // For the documents alone: they differ from these two in what a style sheet does.
  ...(KEPT ? MORE_LOOKS : []),
];

describe.runIf(hasProgram('chromium-headless-shell'))('pictures', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO3410] of the documents are made of a real hub with agents on the scripted model, and are small', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ada-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    // What the page shows of a long path is its end.
    const projects = join(home, 'work');
    addProjects(projects);
    const model = await startPictureModel();
    const stage = await ConsoleStage.open(browser, DESK, { variables: { PS1: '$ ', SHELL: '/bin/sh' } });
    onTestFinished(() => endTerminals(stage.home));
    await stage.page.waitForURL(({ pathname }) => pathname === '/');
    const { url, token } = stage.hub;
    const start = async ({
      folder,
      mode,
      prompt,
    }: (typeof JOBS)[number] | typeof QUESTION): Promise<string> => {
      const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted' };
      const launch = { agent: 'signalbox-agent', folder: join(projects, folder), mode, env, prompt };
      return (await call(url, token, 'POST', '/api/sessions', { launch })).body.session.id;
    };
    const sessions: string[] = [];
    for (const job of JOBS) sessions.push(await start(job));
    const [asking = '', changed = ''] = sessions;
    const { page } = stage;
    await page.goto(url);
    await page.getByRole('article').waitFor();
    await page.goto(`${url}/sessions/${changed}`);
    await stage.isIdle();
    await page.locator('.turn-end').waitFor();
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await stage.click('Start a terminal');
    await page.locator('.xterm-rows').waitFor();
    await type(page, 'clear; git log --oneline; git status --short\n');
    await shows(page, '?? docs/');

    const signedIn = await page.context().storageState();
    const views = await Promise.all(
      LOOKS.map(async ([screen, colorScheme, options]) => {
        const context = await browser.newContext({ ...options, colorScheme, storageState: signedIn });
        onTestFinished(() => context.close());
        return { view: await context.newPage(), look: `${screen}-${colorScheme}` };
      }),
    );
    for (const { view, look } of views) {
      await view.goto(url);
      await isAnswerable(view);
      await view.getByText('Done:').waitFor();
      await picture(view, `board-${look}`);
    }
    await start(QUESTION);
    for (const { view, look } of views) {
      await view.goto(`${url}/#inbox`);
      await view.getByText('1 of 2').waitFor();
      await isAnswerable(view);
      await picture(view, `inbox-${look}`);
      await view.goto(`${url}/sessions/${asking}`);
      await view.getByText('Found it').waitFor();
      await isAnswerable(view);
      await picture(view, `session-${look}`);
      await view.goto(`${url}/sessions/${changed}`);
      await view.getByRole('tab', { name: 'Changes' }).click();
      await view.locator('.change-line .code-string').first().waitFor();
      await picture(view, `changes-${look}`);
      await view.getByRole('tab', { name: 'Terminal' }).click();
      await view.locator('.xterm-rows').getByText('?? docs/').waitFor();
      await picture(view, `terminal-${look}`);
    }
  });
});

/** The card is there with all that it offers, and long enough to be answered. */
async function isAnswerable(page: Page): Promise<void> {
  await page.getByText('keep the rule').first().waitFor({ state: 'attached' });
  await page.locator('[data-answer="no"]:enabled').first().waitFor();
}

async function picture(page: Page, name: string): Promise<void> {
  // What fades in is there, and no pointer rests on anything.
  await page.mouse.move(0, 0);
  await page.evaluate(
    'Promise.all(document.getAnimations().filter(({effect}) => effect.getComputedTiming().endTime !== Infinity).map(({finished}) => finished.catch(() => {})))',
  );
  const png = await page.screenshot({ caret: 'hide' });
  expect(png.length, name).toBeLessThan(MAX_BYTES);
  if (!KEPT || !SHOWN.has(name)) return;
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(fileURLToPath(new URL(`${name}.png`, KEPT)), png);
}
