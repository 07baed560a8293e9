import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DirectConnect, type SDKMessage } from '../../src/browser/index.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TIMEOUT_MS = 90_000;

/** What each example is known by. */
const PRINTED: Record<string, string[]> = {
  hello: ['Hello! I am an agent'],
  streaming: ['One train leaves at nine, one at ten', 'tokens, $'],
  permissions: [
    'allowed this once',
    'Not permitted: the deny rule Bash(rm:*) matches.',
    'I leave it as it is',
  ],
  hooks: ['(logged: Write)', 'Nobody writes to .env.', 'The keys stay where they are.'],
  'mcp-tool': ['Your train: 09:17 to Merge Junction from platform 2.'],
  'multi-agent': ['optimist: It will be faster.', 'pessimist: It will break', 'accountant: It will cost'],
  'resume-and-fork': [
    'I have answered 1 times before',
    'I have answered 2 times before',
    'fork: The same, once more',
    'original: A number to remember',
  ],
  'budget-guard': ['Done: sort the tickets ($0.10)', 'Stopped before "paint the signals": 2 tasks left'],
};

async function exampleEnvironment(): Promise<NodeJS.ProcessEnv> {
  const home = await mkdtemp(join(tmpdir(), 'signalbox-examples-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return { PATH: process.env['PATH'], HOME: home, TMPDIR: home };
}

function command(name: string): string[] {
  return ['--import', 'tsx', join('examples', `${name}.ts`)];
}

describe('examples', () => {
  it('[SD170] each example is run here', async () => {
    const files = await readdir(join(ROOT, 'examples'));
    const expected = [...Object.keys(PRINTED), 'browser-chat', 'stage'].map((name) => `${name}.ts`);
    expect(files.filter((file) => file.endsWith('.ts')).toSorted()).toEqual(expected.toSorted());
  });

  it.each(Object.entries(PRINTED))(
    '[SD170] %s does what it says, and leaves nothing behind',
    async (name, texts) => {
      const env = await exampleEnvironment();
      const { stdout, stderr } = await promisify(execFile)(process.execPath, command(name), {
        cwd: ROOT,
        env,
      });
      for (const text of texts) expect(stdout).toContain(text);
      expect(stderr).toBe('');
      expect((await readdir(env['HOME'] ?? '')).filter((file) => file.startsWith('signalbox-'))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    '[SD171] browser-chat serves a page, and lets it talk to the agent',
    async () => {
      const env = await exampleEnvironment();
      const server = spawn(process.execPath, command('browser-chat'), {
        cwd: ROOT,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(server, 'exit');
      onTestFinished(() => void server.kill('SIGKILL'));
      const [line]: string[] = await once(createInterface({ input: server.stdout }), 'line');
      const url = new URL(line?.replace('Open ', '') ?? '');
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
      await vi.waitFor(() => expect(messages.at(-1)?.type).toBe('result'), { timeout: 30_000 });
      expect(messages.at(-1)).toMatchObject({
        subtype: 'success',
        result: expect.stringContaining('a-file'),
      });
      expect(refusals.length).toBe(1);
      client.disconnect();
      server.kill('SIGINT');
      expect(await exited).toEqual([0, null]);
    },
    TIMEOUT_MS,
  );
});
