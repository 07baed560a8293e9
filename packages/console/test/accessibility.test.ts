import type { Author } from '@signalbox/protocol/hub';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { openPage, sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, answered, asked, call, decided, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const WIDE_TABLE = `${'| a column with a long name '.repeat(12)}|\n${'|---'.repeat(12)}|\n${'| cell '.repeat(12)}|`;

const REPLY = [
  '### A heading that is not the first of its kind',
  'Words with `code`, **bold**, *other* and [a link](https://example.org/).',
  '> ## A heading in a quotation',
  '- [x] done\n- [ ] not yet\n1. first',
  WIDE_TABLE,
  '```js\nconst code = 1;\n```',
  '# A heading above the first',
  '---',
].join('\n\n');

const LINES: readonly (readonly [Author, unknown])[] = [
  [AGENT, { type: 'bridge', subtype: 'started', command: ['agent'], cwd: '/x', host: 'box' }],
  [ADA, prompt('Look at this')],
  [
    ADA,
    {
      type: 'user',
      message: {
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }],
      },
      uuid: 'picture',
    },
  ],
  [AGENT, said({ type: 'thinking', thinking: 'Hm' })],
  [AGENT, said(text(REPLY), 'm2')],
  [AGENT, said(call('t1', 'Bash', { command: 'seq 1 1000' }), 'm3')],
  [AGENT, answered('t1', 'a line\n'.repeat(1000))],
  [AGENT, said(call('t2', 'Edit', { file_path: '/x/a', old_string: 'a\nb', new_string: 'a\nc' }), 'm4')],
  [AGENT, answered('t2', 'no such file', true)],
  [AGENT, said(call('t3', 'Task', { description: 'Look around', prompt: 'Look' }), 'm5')],
  [AGENT, said(text('## Found\n\nnothing'), 'm6', 't3')],
  [AGENT, said(call('t4', 'Write', { file_path: '/x/b', content: 'x\n'.repeat(300) }), 'm7', 't3')],
  [AGENT, answered('t4', 'written')],
  [AGENT, answered('t3', '## Found\n\nnothing')],
  [AGENT, said(call('t5', 'Bash', { command: 'rm x' }), 'm8')],
  [AGENT, asked('q1', 't5')],
  [ADA, decided('q1', 'deny')],
  [AGENT, { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10 }],
  [AGENT, { type: 'odd', subtype: 'thing' }],
  [AGENT, { type: 'result', subtype: 'error_during_execution', errors: ['It broke'], duration_ms: 1200 }],
  [AGENT, { type: 'bridge', subtype: 'exited', code: 2, signal: null, stderr: 'last words' }],
];

const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['light at a desk', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark on a phone', { colorScheme: 'dark', viewport: { width: 375, height: 667 } }],
];

describe.runIf(hasProgram('chromium-headless-shell'))('what axe finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it.each(LOOKS)('[CO264][CO3858] is nothing, on every screen: %s', async (_, look) => {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm -r build' } };
    const { page, store } = await showRecord(browser, { lines: LINES, asks: [request, request], ...look });
    const found: string[] = [];
    const lookAt = async (screen: string, at = page): Promise<void> => {
      for (const violation of await violationsOn(at)) found.push(`${screen}: ${violation}`);
    };
    await page.getByRole('article').waitFor();
    const closed = page.getByRole('log').locator('[aria-expanded=false]').first();
    while ((await closed.count()) > 0) await closed.click();
    await lookAt('a session');
    await page.emulateMedia({ colorScheme: look.colorScheme === 'dark' ? 'light' : 'dark' });
    await lookAt('a session in other colours');
    await page.emulateMedia({ colorScheme: look.colorScheme ?? null });
    const isPhone = await page.getByRole('button', { name: 'Sessions' }).isVisible();
    const list = async (): Promise<void> => {
      if (isPhone) await page.getByRole('button', { name: 'Sessions' }).click();
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    };

    const address = page.url();
    // [CO3858] What several agents ask is told apart.
    const { id: other } = await store.sessions.create('t', { title: 'Another one', state: 'disconnected' });
    await store.permissions.open(other, 'r9', request);
    await page.goto(new URL('/', address).href);
    for (const count of [1, 2]) {
      await page.getByRole('button', { name: 'Answer …' }).first().click();
      await page
        .getByRole('article')
        .nth(count - 1)
        .waitFor();
    }
    await lookAt('the board');
    await page.getByRole('link', { name: '3 questions wait' }).click();
    await page.getByText('1 of 3').waitFor();
    await lookAt('the inbox');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await lookAt('the keys');
    await store.sessions.remove(other);
    await page.goto(address);
    await page.getByRole('article').waitFor();

    await page.getByRole('button', { name: 'Session menu' }).click();
    await lookAt('its menu');
    for (const name of ['Rename …', 'End the agent …', 'Remove …']) {
      const item = page.getByRole('button', { name });
      if (!(await item.isVisible())) await page.getByRole('button', { name: 'Session menu' }).click();
      await item.click();
      await page.getByRole('dialog').waitFor();
      await lookAt(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    for (const name of ['New session', 'Sign out']) {
      await list();
      await lookAt('the list');
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('dialog').waitFor();
      await lookAt(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      if (isPhone && (await page.getByRole('navigation', { name: 'Sessions' }).isVisible()))
        await page.keyboard.press('Escape');
    }

    const stranger = await openPage(browser, look);
    await stranger.goto(new URL('/', page.url()).href);
    await stranger.getByText('Signed out').waitFor();
    await lookAt('signed out', stranger);
    await stranger.goto(new URL('/sign-in', page.url()).href);
    await stranger.getByRole('main').waitFor();
    await lookAt('a sign-in link', stranger);

    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No sessions yet').waitFor();
    await lookAt('no sessions');
    expect(found).toEqual([]);
  });
});
