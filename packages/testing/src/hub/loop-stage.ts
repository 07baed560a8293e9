import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop, NewLoop } from '@signalbox/protocol/hub';
import { type Answer, until } from './test-parts.ts';

/** Calls the API of some hub. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Begin a loop that must begin. */
export async function beginLoop(call: Caller, loop: NewLoop): Promise<Loop> {
  const { status, body } = await call('POST', '/api/loops', loop);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

/** A loop once this is so of it. */
export async function loopThat(call: Caller, id: string, is: (loop: Loop) => boolean): Promise<Loop> {
  return until(async () => {
    const { body } = await call('GET', `/api/loops/${id}`);
    return is(body) && body;
  });
}

export const hasEnded = ({ state }: Loop): boolean => state === 'ended';

/**
 * An agent that notes in its folder each process (`runs`), its region (`regions`) and each prompt (`prompts`), and ends the turn of the nth
 * prompt there once there is a file `go-n`, with what is in it.
 */
const NOTING_AGENT = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
if (process.argv.includes('--version')) {
  console.log('2.1.37 (Claude Code)');
  process.exit(0);
}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const session_id = (process.argv.find((word) => word.startsWith('--session-id=')) ?? '').slice(13);
appendFileSync('runs', process.pid + '\\n');
if (process.env.SB_REGION) appendFileSync('regions', process.env.SB_REGION + '\\n');
let cost = 0;
const result = (more) => say({ type: 'result', subtype: 'success', is_error: false, num_turns: 2, total_cost_usd: cost,
  duration_ms: 1, duration_api_ms: 1, session_id, usage: {}, modelUsage: {}, permission_denials: [],
  uuid: crypto.randomUUID(), ...more });
const end = (number) => {
  if (!existsSync('go-' + number)) return setTimeout(end, 20, number);
  const text = readFileSync('go-' + number, 'utf8');
  cost += 0.25;
  result({ result: text, total_cost_usd: cost, is_error: text.startsWith('fail') });
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_request') {
    const { request_id, request } = message;
    say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    if (request.subtype === 'interrupt')
      result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming', errors: [] });
  }
  if (message.type !== 'user') return;
  appendFileSync('prompts', message.message.content + '\\n');
  end(readFileSync('prompts', 'utf8').split('\\n').length - 1);
});
`;

/** What the noting agent notes in a folder, and how it is told to go on. */
export class NotedFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Put the agent where it is to be found. */
  static writeAgent(path: string): void {
    writeFileSync(path, NOTING_AGENT);
    chmodSync(path, 0o755);
  }

  linesOf(name: 'runs' | 'prompts' | 'regions'): string[] {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  }

  /** Let the nth prompt end so. */
  go(number: number, result = 'went on'): void {
    writeFileSync(join(this.path, `go-${number}`), result);
  }

  async prompted(count: number): Promise<void> {
    await until(() => this.linesOf('prompts').length >= count);
  }
}
