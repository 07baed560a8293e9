import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  converse,
  INSTALL_TIMEOUT_MS,
  REFERENCE_VERSIONS,
  referenceCli,
  runReferenceCli,
} from '@signalbox/testing/reference-cli';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startModelRecorder } from '../src/index.ts';
import { model } from './client.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'signalbox-claude-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

type Messages = readonly Record<string, unknown>[];

const resultsOf = (messages: Messages) =>
  messages.filter((message) => message['type'] === 'result').map((message) => message['result']);

describe.each(REFERENCE_VERSIONS)('claude %s', (version) => {
  beforeAll(() => referenceCli(version).then(() => undefined), INSTALL_TIMEOUT_MS);

  it('[SM43] answers a plain prompt', async () => {
    const { url: baseUrl } = await model('puppet');
    const { exitCode, stdout, stderr } = await runReferenceCli(version, ['-p', 'hello'], { baseUrl, cwd });
    expect([exitCode, stdout, stderr]).toEqual([0, 'echo: hello\n', '']);
  });

  it('[SM43] uses its tools as it is told, over many turns', async () => {
    const server = await model('puppet');
    const file = join(cwd, 'note.txt');
    const prompts = [
      'say one',
      `write ${file} two`,
      `edit ${file} two=>three`,
      `run cat ${file}`,
      '/compact',
      'say last',
    ];
    const { messages, exitCode } = await converse(version, prompts, { baseUrl: server.url, cwd });
    expect(exitCode).toBe(0);
    const done = expect.stringContaining('done: ');
    expect(resultsOf(messages)).toEqual(['one', done, done, 'done: three', '', 'last']);
    expect(await readFile(file, 'utf8')).toBe('three');
    expect(server.requests.filter((request) => request.status !== 200)).toEqual([]);
  });

  it('[SM43] plays the demonstration to its end', async () => {
    const { url: baseUrl } = await model('demo');
    const { messages } = await converse(version, ['show me what you can do'], { baseUrl, cwd });
    expect(resultsOf(messages)).toEqual([expect.stringContaining('09:17  Merge Junction     2')]);
    expect(await readFile(join(cwd, 'departures.sh'), 'utf8')).toMatch(/^#!\/bin\/sh\n/);
  });

  it('[SM43] tries again after an overload and after a cut', async () => {
    const server = await model('puppet');
    server.injectFault({ kind: 'status', status: 529, retry_after_s: 0 });
    server.injectFault({ kind: 'cut', after: 4 });
    const { messages } = await converse(version, ['say still here'], { baseUrl: server.url, cwd });
    expect(resultsOf(messages)).toEqual(['still here']);
    expect(server.requests.map((request) => request.state)).toEqual(['refused', 'broken', 'answered']);
  });

  it('[SM43] shows what the script is missing', async () => {
    const { url: baseUrl } = await model({ name: 'short', turns: [{ when: { user: 'x' }, say: [] }] });
    const { messages, exitCode } = await converse(version, ['hello'], { baseUrl, cwd });
    expect(exitCode).toBe(1);
    expect(resultsOf(messages)).toEqual([expect.stringMatching(/has no turn for this request.*hello/)]);
  });

  it('[SM43] streams thinking, text and tool calls, adds up its usage, and can be recorded and replayed', async () => {
    const file = join(cwd, 'recorded.json');
    const recorder = await startModelRecorder({ upstream: (await model('puppet')).url, file });
    const args = ['--include-partial-messages', '--dangerously-skip-permissions'];
    const prompts = ['think twice', 'run echo hi'];
    const live = await converse(version, prompts, { baseUrl: recorder.url, cwd, args });
    await recorder.close();
    const events = JSON.stringify(live.messages.filter((message) => message['type'] === 'stream_event'));
    for (const kind of [
      'thinking_delta',
      'signature_delta',
      'text_delta',
      'input_json_delta',
      'message_stop',
    ]) {
      expect(events).toContain(`"${kind}"`);
    }
    const [, second] = live.messages.filter((message) => message['type'] === 'result');
    expect(second?.['usage']).toMatchObject({
      cache_read_input_tokens: expect.any(Number),
      output_tokens: 15,
    });
    expect(JSON.stringify(second?.['usage'])).not.toContain('"cache_read_input_tokens":0');
    const replayed = await converse(version, prompts, { baseUrl: (await model(file)).url, cwd, args });
    expect(resultsOf(replayed.messages)).toEqual(['twice', 'done: hi']);
    expect(resultsOf(replayed.messages)).toEqual(resultsOf(live.messages));
  });
});
