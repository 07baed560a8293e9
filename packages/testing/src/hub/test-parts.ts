import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '@signalbox/hub';
import { type Hub, type HubOptions, startHub } from '@signalbox/hub';
import type { DeviceGrant } from '@signalbox/hub/store';
import { openMemoryStore } from '@signalbox/hub/store';
import { type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { onTestFinished } from 'vitest';
import { assertDeclared } from './declared-answers.ts';

export { until } from '../until.ts';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));

/** A hub in this process, and the token of somebody who may do everything. */
export interface TestHub {
  hub: Hub;
  store: Store;
  token: string;
}

export async function startTestHub(options: Partial<HubOptions> = {}): Promise<TestHub> {
  const store = options.store ?? (await openMemoryStore());
  const hub = await startHub({ ...options, store });
  onTestFinished(async () => {
    await hub.close();
    await store.close();
  });
  return { hub, store, token: await tokenFor(store) };
}

export async function tokenFor(store: Store, grant: Partial<DeviceGrant> = {}): Promise<string> {
  const whole = { person: 'Ada', name: 'laptop', scope: 'admin', session: null, ...grant } as const;
  return (await store.devices.add(whole)).token;
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function startModel(): Promise<ScriptedModel> {
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  return model;
}

/** The real agent, dialling in as a user starts it. */
export function dialAgent(
  url: string,
  token: string,
  modelUrl: string,
  flags: readonly string[] = [],
  variables: NodeJS.ProcessEnv = {},
): ChildProcess {
  const home = temporaryFolder();
  const child = spawn(
    process.execPath,
    [AGENT, '--sdk-url', url, '-p', '--include-partial-messages', ...flags, 'x'],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'scripted',
        CLAUDE_CODE_SESSION_ACCESS_TOKEN: token,
        ...variables,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return child;
}

/** What the API answered. */
export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
  headers: Headers;
}

/** Call the API as a client does. */
export async function call(
  base: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method,
    // A test that was busy for seconds would send on a connection that the hub has closed meanwhile.
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /\bjson$/.test(response.headers.get('content-type') ?? '');
  const answer = {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
  assertDeclared(method, path, answer);
  return answer;
}

/** What a browser keeps of the answer to its sign-in: a cookie, and what its page sends along. */
export function browserOf({ headers, body }: Answer): { cookie: string; bearer: string } {
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '', bearer: body.bearer };
}
