import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { freePort } from '@signalbox/testing/free-port';
import { WebSocket } from 'ws';
import { check } from '../check.ts';
import type { Scene, Story } from './story.ts';

const PLATFORM = `${process.platform}-${process.arch}`;

/** Its database and its terminal come as sources that a script compiles. These have the same interface, and binaries on npm. */
const OVERRIDES = {
  'better-sqlite3': 'npm:libsql@0.5.29',
  'node-pty': 'npm:@lydell/node-pty@1.2.0-beta.15',
};
const BINARIES = [
  `@libsql/${PLATFORM}${process.platform === 'linux' ? '-gnu' : ''}@0.5.29`,
  `@lydell/node-pty-${PLATFORM}@1.2.0-beta.15`,
  `@vscode/ripgrep-${PLATFORM}@1.18.0`,
];

const LOOK_AGAIN_MS = 200;
const READY = /Server - Ready/;
const LAST_PROMPT = 'run touch never';

/** A page of the server: what a person does there, and the frames that they see. */
class Page {
  readonly #url: string;
  readonly #token: string;
  readonly #frames: JsonObject[] = [];
  #onFrame: () => void = () => {};

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async post(path: string, body: JsonObject): Promise<JsonObject> {
    return answerOf(
      await fetch(`${this.#url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
        body: JSON.stringify(body),
      }),
    );
  }

  async get(path: string): Promise<JsonObject> {
    return answerOf(
      await fetch(`${this.#url}${path}`, { headers: { authorization: `Bearer ${this.#token}` } }),
    );
  }

  async connect(): Promise<WebSocket> {
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/ws?token=${this.#token}`);
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString());
      if (isJsonObject(frame)) this.#frames.push(frame);
      this.#onFrame();
    });
    await once(socket, 'open');
    return socket;
  }

  /** The frames from here to the one that is meant, which it comes to sooner or later. */
  async framesUntil(isLast: (frame: JsonObject) => boolean): Promise<JsonObject[]> {
    for (;;) {
      const at = this.#frames.findIndex(isLast);
      if (at !== -1) return this.#frames.splice(0, at + 1);
      await new Promise<void>((resolve) => (this.#onFrame = resolve));
    }
  }
}

async function answerOf(response: Response): Promise<JsonObject> {
  const answer: unknown = await response.json();
  check(response.ok && isJsonObject(answer), `the server said ${JSON.stringify(answer)}`);
  return isJsonObject(answer['data']) ? answer['data'] : answer;
}

/** A person at the page: a session with words, an edit, a question that is allowed, one that is not, and its history. */
async function pageStory({ stage, program, agent, env }: Scene): Promise<unknown> {
  const file = await stage.write(stage.path('notes.txt'), 'one\n');
  const url = await startServer({ stage, program, agent, env });
  const nobody = new Page(url, '');
  const { token } = await nobody.post('/api/auth/register', { username: 'person', password: 'a password' });
  const page = new Page(url, String(token));
  const socket = await page.connect();
  stage.onLeave(() => Promise.resolve(socket.close()));
  const { sessionId } = await page.post('/api/providers/sessions', {
    provider: 'claude',
    projectPath: stage.folder,
    initialMessage: 'say hello',
  });
  const turn = async (content: string, allow?: boolean): Promise<JsonObject[]> => {
    socket.send(JSON.stringify({ type: 'chat.send', sessionId, content, options: {} }));
    const frames: JsonObject[] = [];
    if (allow !== undefined) {
      frames.push(...(await page.framesUntil(({ kind }) => kind === 'permission_request')));
      const { requestId } = frames.at(-1) ?? {};
      socket.send(JSON.stringify({ type: 'chat.permission-response', requestId, allow, message: 'no' }));
    }
    return [...frames, ...(await page.framesUntil(({ kind }) => kind === 'complete'))];
  };
  const told = {
    says: seen(await turn('say hello')),
    reads: seen(await turn(`read ${file}`)),
    writes: seen(await turn(`write ${stage.path('new.txt')} text`, true)),
    refused: seen(await turn(LAST_PROMPT, false)),
    history: await historyOf(page, String(sessionId), LAST_PROMPT),
  };
  check((await stage.read(stage.path('new.txt'))) === 'text', `nothing was written: ${JSON.stringify(told)}`);
  check(!(await stage.has('never')), 'it ran what was refused');
  return JSON.parse(JSON.stringify(told), withoutChance);
}

/** What the server reads of the transcript, once its watcher has found it and the agent has written the answer to the last prompt. */
async function historyOf(page: Page, sessionId: string, lastPrompt: string): Promise<JsonObject> {
  for (;;) {
    const history = await page.get(`/api/providers/sessions/${sessionId}/messages`);
    const messages = Array.isArray(history['messages']) ? history['messages'].filter(isJsonObject) : [];
    // `claude` notes that its first prompt waits, and the page shows that as a message of its own, without an anchor.
    const sinceLastPrompt = messages.slice(messages.findLastIndex(({ content }) => content === lastPrompt));
    if (sinceLastPrompt.map(({ kind }) => kind).join() === 'text,text,tool_use,text')
      return { ...history, messages: messages.filter((message) => !isQueueNote(message)) };
    await sleep(LOOK_AGAIN_MS);
  }
}

function isQueueNote({ kind, role, transcriptAnchorId }: JsonObject): boolean {
  return kind === 'text' && role === 'user' && transcriptAnchorId === undefined;
}

async function startServer({ stage, program, agent, env }: Scene): Promise<string> {
  const port = await freePort();
  const server = spawn('node', [program.path('dist-server/server/index.js')], {
    cwd: stage.folder,
    env: {
      ...env,
      CLAUDE_CLI_PATH: agent,
      DATABASE_PATH: stage.elsewhere('cloudcli.db'),
      HOST: '127.0.0.1',
      SERVER_PORT: String(port),
    },
  });
  const ended = once(server, 'exit');
  stage.onLeave(async () => {
    server.kill('SIGKILL');
    await ended;
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (READY.test(said)) resolve();
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return `http://127.0.0.1:${port}`;
}

/** News about the list of sessions come whenever its watcher looks. */
function seen(frames: readonly JsonObject[]): JsonObject[] {
  return frames.filter(({ kind }) => kind !== 'session_upserted' && kind !== 'loading_progress');
}

function withoutChance(key: string, value: unknown): unknown {
  return /^(?:id|seq|requestId|timestamp|rowid)$/.test(key) ? undefined : value;
}

export const cloudcliStory: Story = {
  program: { name: '@cloudcli-ai/cloudcli', version: '1.37.3', also: BINARIES, overrides: OVERRIDES },
  name: 'a person talks, allows and refuses on a page, and reads what was said',
  usesSdk: true,
  differences: {
    '(writes|refused)\\.\\d+\\.content|history\\.messages\\.\\d+\\.toolResult\\..*':
      'what a tool tells the model is in the words of each agent',
    'history\\.total':
      '`claude` notes in the transcript that the first prompt waits, and the page shows it twice',
  },
  play: pageStory,
};
