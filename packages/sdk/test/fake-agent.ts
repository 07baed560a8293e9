import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { expect, onTestFinished, vi } from 'vitest';
import { type Options, type SDKMessage, type SDKUserMessage } from '../src/index.ts';

/** What a fake agent does with what it hears: by type of message, or by subtype of control request. */
const RUNTIME = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
const file = fileURLToPath(import.meta.url) + '.log';
const log = (entry) => appendFileSync(file, JSON.stringify(entry) + '\\n');
log({ started: process.pid, argv: process.argv.slice(2), execArgv: process.execArgv, cwd: process.cwd(), env: process.env });
const out = (said) => process.stdout.write((typeof said === 'string' ? said : JSON.stringify(said)) + '\\n');
const offer = { commands: [{ name: 'c', description: '', argumentHint: '' }], models: [], agents: [], account: { email: 'e' }, output_style: '', available_output_styles: [] };
const answer = ({ request_id }, response = offer) => out({ type: 'control_response', response: { subtype: 'success', request_id, response } });
const refuse = ({ request_id }, error) => out({ type: 'control_response', response: { subtype: 'error', request_id, error } });
const ask = (request_id, request) => out({ type: 'control_request', request_id, request });
const result = (fields) => out({ type: 'result', subtype: 'success', is_error: false, duration_ms: 1, duration_api_ms: 1, num_turns: 1, result: 'ok', session_id: 's', uuid: 'u', total_cost_usd: 0, usage: {}, modelUsage: {}, permission_denials: [], ...fields });
const handlers = await (async () => { SCRIPT })();
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const said = JSON.parse(line);
    log({ heard: said });
    const handle = handlers[said.request?.subtype] ?? handlers[said.type];
    if (handle) handle(said);
    else if (said.type === 'control_request') answer(said);
  })
  .on('close', () => {
    log({ inputEnded: true });
    if (handlers.end) handlers.end();
    else process.exit(0);
  });
`;

interface Entry {
  started?: number;
  argv?: string[];
  execArgv?: string[];
  cwd?: string;
  env?: Record<string, string>;
  heard?: JsonObject & { request?: JsonObject; response?: JsonObject };
  inputEnded?: true;
  [more: string]: unknown;
}

/** An agent that is a few lines of script, and what it saw. */
export interface FakeAgent {
  folder: string;
  path: string;
  /** Options that run it, with a home of its own. */
  options(more?: Options): Options;
  log(): Promise<Entry[]>;
  /** How it was started. */
  start(): Promise<Entry & { started: number; argv: string[]; env: Record<string, string> }>;
  /** What it heard of one type; control requests by their subtype. */
  heard(type: string): Promise<JsonObject[]>;
}

/** Write an agent. `script` returns its handlers; `out`, `answer`, `refuse`, `ask`, `result` and `log` are at hand. */
export async function fakeAgent(script: string, name = 'agent.mjs'): Promise<FakeAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-sdk-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const path = join(folder, name);
  await writeFile(path, `#!${process.execPath}\n${RUNTIME.replace('SCRIPT', () => script)}`, { mode: 0o755 });
  const log = async (): Promise<Entry[]> => {
    const text = await readFile(`${path}.log`, 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line): Entry => JSON.parse(line));
  };
  return {
    folder,
    path,
    options: (more = {}) => ({
      pathToClaudeCodeExecutable: path,
      ...more,
      env: { PATH: process.env['PATH'], HOME: folder, ...more.env },
    }),
    log,
    start: () =>
      vi.waitFor(async () => {
        const { started = 0, argv = [], env = {}, ...rest } = (await log())[0] ?? {};
        expect(started).toBeGreaterThan(0);
        return { started, argv, env, ...rest };
      }, EVENT_MS),
    heard: async (type) =>
      (await log()).flatMap(({ heard }) => {
        if (heard === undefined) return [];
        if (heard.type === type) return [heard];
        return heard.request?.['subtype'] === type ? [heard.request] : [];
      }),
  };
}

/** An agent that answers each prompt with a result. */
export const OBEDIENT = 'return { user: () => result() };';

export async function collect(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const all: SDKMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

/** What was thrown, for those who want to look at it. */
export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it did not throw'),
    (error: unknown) => error,
  );
}

export function prompt(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
}

/** One prompt, and a conversation that stays open after it. */
export async function* never(): AsyncGenerator<SDKUserMessage> {
  yield prompt('x');
  await new Promise(() => {});
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until none of these processes is left, zombies included. */
export async function untilGone(...pids: number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: EVENT_MS, interval: 50 });
}
