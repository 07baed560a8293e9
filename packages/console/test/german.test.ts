import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, openPage, sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, answered, asked, call, decided, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';
import { wideParts } from './wide-parts.ts';

const LINES = [
  [AGENT, { type: 'bridge', subtype: 'started', command: ['agent'], cwd: '/x', host: 'box' }],
  [ADA, prompt('Look at this')],
  [AGENT, said(text('A reply'), 'm2')],
  [AGENT, said(call('t1', 'Bash', { command: 'seq 1 1000' }), 'm3')],
  [AGENT, answered('t1', 'a line\n'.repeat(1000))],
  [AGENT, said(call('t2', 'Edit', { file_path: '/x/a', old_string: 'a\nb', new_string: 'a\nc' }), 'm4')],
  [AGENT, answered('t2', 'no such file', true)],
  [AGENT, said(call('r1', 'Read', { file_path: `/x/${'long/'.repeat(12)}a` }), 'm9')],
  [AGENT, answered('r1', '1\tword')],
  [AGENT, said(call('r2', 'Read', { file_path: '/x/b' }), 'm10')],
  [AGENT, answered('r2', '1\tword')],
  [AGENT, said(call('t5', 'Bash', { command: 'rm x' }), 'm8')],
  [AGENT, asked('q1', 't5')],
  [ADA, decided('q1', 'deny')],
  [AGENT, { type: 'result', subtype: 'error_during_execution', errors: ['It broke'], duration_ms: 1200 }],
] as const;

const BASH = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm -r build' } };

/** The pages about the hub, by the parts of the address that name them. */
const HUB_PAGES = [
  'rules',
  'spend',
  'notices',
  'agents',
  'devices',
  'audit',
  'worktrees',
  'relays',
  'storage',
];

describe.runIf(hasProgram('chromium-headless-shell'))('the console in German', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO3403][CO3771][CO3780][CO3856][CO3857] is spoken to a German browser, fits on a phone, and axe finds nothing', async () => {
    const look = { locale: 'de-DE', viewport: { width: 375, height: 667 } };
    const { page } = await showRecord(browser, { lines: LINES, asks: [BASH, BASH], ...look });
    const found: string[] = [];
    const lookAt = async (screen: string, at = page): Promise<void> => {
      for (const violation of await violationsOn(at)) found.push(`${screen}: ${violation}`);
      for (const part of await wideParts(at)) found.push(`${screen} is too wide: ${part}`);
    };
    await page.getByText('Bash erlauben?').waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir].join()')).toBe(
      'de,ltr',
    );
    expect(await page.getByLabel('Prompt', { exact: true }).getAttribute('placeholder')).toBe(
      'Was ist zu tun?',
    );
    await page.getByText('fehlgeschlagen', { exact: true }).waitFor();
    // [CO3857] Calls in one row fit as well once it is opened.
    await page.getByRole('button', { name: /^2 Dateien gelesen/ }).click();
    await page.locator('.run-calls').waitFor();
    await lookAt('a session');
    await page.getByRole('button', { name: 'Menü der Sitzung' }).click();
    await page.getByRole('button', { name: 'Agenten beenden …' }).click();
    await page.getByText('Diesen Agenten beenden?').waitFor();
    await lookAt('a dialog');
    await page.keyboard.press('Escape');

    await page.goto(new URL('/', page.url()).href);
    await page.getByRole('link', { name: '2 Fragen warten' }).waitFor();
    await lookAt('the board');
    // [CO3856] The words of German are longer, and it takes no more room for them.
    const headHeight = "document.querySelector('.board-head').getBoundingClientRect().height";
    expect(await page.evaluate(headHeight)).toBeLessThan(130);
    await page.getByRole('button', { name: 'Neue Sitzung' }).click();
    await page.getByRole('button', { name: 'Starten', exact: true }).waitFor();
    await lookAt('a new session');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: '2 Fragen warten' }).click();
    await page.getByText('1 von 2').waitFor();
    await lookAt('the inbox');
    await page.keyboard.press('?');
    await page.getByText('Im Verlauf').waitFor();
    await lookAt('the keys');
    await page.keyboard.press('Escape');
    for (const name of HUB_PAGES) {
      await page.goto(new URL(`/#${name}`, page.url()).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await lookAt(name);
    }
    await page.goto(new URL('/sessions/nope', page.url()).href);
    await page.getByText('Diese Sitzung gibt es nicht.').waitFor();
    const stranger = await openPage(browser, look);
    await stranger.goto(new URL('/', page.url()).href);
    await stranger.getByText('Dieser Browser ist bei diesem Hub nicht angemeldet').waitFor();
    await lookAt('signed out', stranger);
    for (const [path, words] of [
      ['/sign-in', 'Der Link zum Anmelden ist abgeschnitten'],
      ['/sign-in#odd', 'Dieser Link zum Anmelden ist falsch'],
      ['/notice', 'Der Link ist abgeschnitten'],
    ] as const) {
      await stranger.goto('about:blank');
      await stranger.goto(new URL(path, page.url()).href);
      await stranger.getByText(words).waitFor();
      await lookAt(path, stranger);
    }
    expect(found).toEqual([]);
  });

  it('[CO3403][CO3773][CO3859] has room for every button below the prompt while a turn runs', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: { width: 375, height: 667 } });
    const { page } = stage;
    await stage.launchPuppet();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Language: Deutsch' }).click();
    await page.getByRole('button', { name: 'Senden' }).waitFor();
    await stage.say('run sh -c true');
    await page.getByRole('button', { name: 'Stopp' }).waitFor();
    await stage.box.fill('noch etwas');
    await page.getByRole('button', { name: 'Einreihen' }).waitFor();
    expect(await wideParts(page)).toEqual([]);
    const tops = await page
      .locator('.prompt-buttons > .button')
      .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().y)));
    expect(tops).toHaveLength(3);
    expect(new Set(tops).size).toBe(1);
    await page.setViewportSize({ width: 800, height: 700 });
    await page.getByLabel('Berechtigungsmodus').waitFor();
    expect(
      await page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.status-line'))",
      ),
    ).toBe(0);
  });

  it('[CO3404] is loaded where it is wanted only; the choice stays in the browser', async () => {
    const { page } = await showRecord(browser, { lines: LINES, asks: [], locale: 'en-GB' });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(new URL('/', page.url()).href);
    await page.getByRole('button', { name: 'Manage' }).click();
    expect(loaded.filter((path) => /\/de-/.test(path))).toEqual([]);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Verwalten' }).waitFor();
    expect(loaded.filter((path) => /\/de-/.test(path))).toHaveLength(1);
    await page.reload();
    await page.getByRole('button', { name: 'Verwalten' }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Manage' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Language: Deutsch' }).click();
    await page.getByRole('button', { name: 'Verwalten' }).waitFor();
  });
});
