import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { hasProgram } from '../../../../scripts/system-tools.js';
import { DirectConnect, type SDKMessage } from '../../src/browser/index.ts';
import { codeSamples } from '../package/document-code.ts';
import { exampleCommand, exampleEnvironment, ROOT } from './example-program.ts';

/** The example as it is run, the address that it prints, and a way to end it. */
async function startChat(): Promise<{ url: URL; end: () => Promise<unknown> }> {
  const server = spawn(process.execPath, exampleCommand('browser-chat'), {
    cwd: ROOT,
    env: await exampleEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  onTestFinished(() => void server.kill('SIGKILL'));
  const [line]: string[] = await once(createInterface({ input: server.stdout }), 'line');
  const end = (): Promise<unknown> => {
    server.kill('SIGINT');
    return exited;
  };
  return { url: new URL(line?.replace('Open ', '') ?? ''), end };
}

/** A page of a real browser. */
async function openPage(url: URL, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    env: Object.fromEntries(
      Object.entries(await exampleEnvironment()).map(([name, value]) => [name, value ?? '']),
    ),
    timeout: EVENT_MS,
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await prepare?.(page);
  await page.goto(url.href);
  return page;
}

describe('browser-chat', () => {
  it('[SD171] serves a page, and refuses strangers', async () => {
    const { url, end } = await startChat();
    expect(await (await fetch(url)).text()).toContain('<title>Signalbox chat</title>');
    expect(await (await fetch(new URL('/client.js', url))).text()).toContain('can_use_tool');

    const wsUrl = `ws://${url.host}/agent`;
    const messages: SDKMessage[] = [];
    const refusals: Error[] = [];
    const stranger = new DirectConnect(
      { wsUrl, authToken: 'guessed', WebSocket, reconnect: { attempts: 0 } },
      { onMessage: () => {}, onPermissionRequest: () => {}, onError: (error) => refusals.push(error) },
    );
    stranger.connect();
    const client = new DirectConnect(
      { wsUrl, authToken: url.hash.slice(1), WebSocket },
      {
        onConnected: () => client.sendMessage('Which files are there?'),
        onMessage: (message) => messages.push(message),
        onPermissionRequest: ({ input }, id) =>
          client.respondToPermissionRequest(id, { behavior: 'allow', updatedInput: input }),
      },
    );
    client.connect();
    await vi.waitFor(() => expect(messages.at(-1)?.type).toBe('result'), { timeout: EVENT_MS });
    expect(messages.at(-1)).toMatchObject({
      subtype: 'success',
      result: expect.stringContaining('a-file'),
    });
    expect(refusals.length).toBe(1);
    client.disconnect();
    expect(await end()).toEqual([0, null]);
  });

  it.runIf(hasProgram('chromium'))(
    '[SD171] lets a person in a browser talk to the agent, and decide what it may do',
    async () => {
      const { url, end } = await startChat();
      const page = await openPage(url);
      const questions: string[] = [];
      const answers = [false, true];
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void (answers.shift() ? dialog.accept() : dialog.dismiss());
      });
      const log = page.locator('#log');
      const say = async (text: string): Promise<void> => {
        await page.getByPlaceholder('Ask the agent').fill(text);
        await page.getByRole('button', { name: 'Send' }).click();
      };
      const sees = (text: string): Promise<void> => log.getByText(text).waitFor({ timeout: EVENT_MS });
      await sees('connected');
      await say('Good morning');
      await sees('You said: Good morning');
      await say('Which files are there?');
      await sees('The person said no.');
      await say('Show me the files after all');
      await sees('a-file');
      expect(questions).toEqual([
        expect.stringContaining('Allow Bash'),
        expect.stringContaining('touch a-file'),
      ]);
      expect(await log.locator('.you').allTextContents()).toEqual([
        'Good morning',
        'Which files are there?',
        'Show me the files after all',
      ]);
      await page.close();
      expect(await end()).toEqual([0, null]);
    },
  );

  it.runIf(hasProgram('chromium'))('[PK221] the page of the documents talks to an agent', async () => {
    const { url, end } = await startChat();
    const sample = (await codeSamples()).find(({ text }) => text.includes("from 'signalbox/browser'"));
    const contents = sample?.text.replace('wss://example.com', `ws://${url.host}`) ?? '';
    const { outputFiles } = await build({
      stdin: { contents, loader: 'ts', resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      write: false,
    });
    const page = await openPage(url, async (opened) => {
      await opened.route('**/client.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }),
      );
    });
    await page.getByText('The turn ended: success').waitFor({ timeout: EVENT_MS });
    await page.close();
    expect(await end()).toEqual([0, null]);
  });
});
