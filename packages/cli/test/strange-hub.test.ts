import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { SIGNALBOX } from './hub-stage.ts';

/** Would set the title, clear the screen, and turn what follows around. */
const LOUD = '\x1b]0;title\x07\x1b[2J\x9b31m\u202e';

const SESSION = {
  id: `${LOUD}id`,
  state: 'idle',
  title: LOUD,
  folder: LOUD,
  agent: LOUD,
  model: LOUD,
  mode: null,
  exit: null,
  problem: null,
  createdAt: 1,
  updatedAt: 1,
};

const DEVICE = {
  id: LOUD,
  person: LOUD,
  name: LOUD,
  scope: LOUD,
  session: LOUD,
  createdAt: 1,
  lastSeenAt: null,
  revokedAt: null,
  expiresAt: null,
};

/** What it answers by path; all else with an error in loud words. */
const ANSWERS: Record<string, unknown> = {
  'GET /api/me': DEVICE,
  'GET /api/sessions': { items: [SESSION] },
  'GET /api/devices?kind=person': { items: [DEVICE] },
  'GET /api/agents': { items: [{ name: 'scripted', isAvailable: true }] },
  'POST /api/sign-in-links': { url: `http://127.0.0.1:1/${LOUD}` },
  'POST /api/sessions': { session: SESSION, token: 't', path: '/' },
};

/** A hub whose every word would speak to the terminal. */
async function loudHub(): Promise<string> {
  const server = createServer((request, response) => {
    const { method, url = '' } = request.resume();
    const answer = url.includes('/events?') ? { last: 0, entries: [] } : ANSWERS[`${method} ${url}`];
    response.statusCode = answer === undefined ? 500 : 200;
    response.end(JSON.stringify(answer ?? { code: LOUD, detail: `sorry ${LOUD}` }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const say = (message: object): void => socket.send(JSON.stringify({ session: SESSION.id, ...message }));
    const entry = (seq: number, message: object, author?: object): void =>
      say({ type: 'sdk-message', seq, check: seq, time: 1, message, ...(author ? { author } : {}) });
    socket.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString());
      if (type === 'user-message')
        say({ type: 'ack', id, result: { id: 'p', clientId: id, author: { by: 'person' } } });
      if (type !== 'subscribe') return;
      say({
        type: 'snapshot',
        session: SESSION,
        first: 1,
        last: 0,
        activity: 'idle',
        permissions: [],
        prompts: [],
      });
      entry(1, { type: 'user', uuid: 'p' }, { by: 'person', name: LOUD, device: LOUD });
      entry(2, { type: 'assistant', message: LOUD });
      say({ type: 'exit', code: 1, signal: LOUD, stderr: `last words ${LOUD}` });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

describe('a hub whose words would speak to the terminal', () => {
  it.each([
    [['sessions'], 0, 'ID'],
    [['sessions', 'stop', ''], 1, 'sorry'],
    [['devices'], 0, 'ID'],
    [['link'], 0, 'http://127.0.0.1:1/'],
    [['run', '--detach', 'hello'], 1, 'sorry'],
    [['run', 'hello'], 1, 'last words'],
    [['trust', '--list'], 0, ''],
  ])('[CL780] says nothing to it through signalbox %j', async (words, code, expected) => {
    const url = await loudHub();
    const home = temporaryFolder();
    const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_TOKEN: 'x' };
    const named = words[0] === 'trust' ? [] : ['--hub', url];
    const child = spawn(process.execPath, [SIGNALBOX, ...words, ...named], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [out, errors, [exit]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(out + errors).toContain(expected);
    expect({ exit, errors }).toMatchObject({ exit: code });
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(out + errors).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});
