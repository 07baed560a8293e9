import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HubOptions, LaunchSetup, Store } from '@signalbox/hub';
import { readTerminalMeta } from '@signalbox/hub/terminal-host';
import { HubTerminal, type HubTerminalOptions, type Terminal, type TerminalExit } from 'signalbox/hub';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { endProcess } from '../is-running.ts';
import { SIGNALBOX } from './hub-process.ts';
import {
  type Answer,
  call,
  startTestHub,
  type TestHub,
  temporaryFolder,
  tokenFor,
  until,
} from './test-parts.ts';

/** The session whose terminals are tried. */
export const SESSION = 'work';

/** A hub that can run terminals, and a session that works in a folder of this machine. */
export class TerminalStage {
  readonly folder = temporaryFolder();
  readonly home: string;
  readonly store: Store;
  readonly #setup: LaunchSetup;
  readonly #tokens: Record<string, string> = {};
  #hub: TestHub;

  private constructor(setup: LaunchSetup, hub: TestHub) {
    this.#setup = setup;
    this.home = setup.home;
    this.#hub = hub;
    this.store = hub.store;
    onTestFinished(() => endTerminals(this.home));
  }

  /** `program` is how terminals are run, and `shell` what runs in them. */
  static async open(
    options: Partial<HubOptions> = {},
    program: readonly string[] = [process.execPath, SIGNALBOX],
    shell?: readonly string[],
  ): Promise<TerminalStage> {
    const home = temporaryFolder();
    const setup = setupIn(home, program, shell);
    const stage = new TerminalStage(setup, await startTestHub({ ...options, launch: setup }));
    await stage.store.sessions.create(SESSION, { folder: stage.folder });
    return stage;
  }

  get url(): string {
    return this.#hub.hub.url;
  }

  get token(): string {
    return this.#hub.token;
  }

  /** Another hub for the same store, home and port. */
  async restartHub(): Promise<void> {
    const { hub } = this.#hub;
    await hub.close();
    this.#hub = await startTestHub({ store: this.store, port: hub.port, launch: this.#setup });
  }

  closeHub(): Promise<void> {
    return this.#hub.hub.close();
  }

  call(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    return call(this.url, token, method, path, body);
  }

  tokenFor(scope: 'watch' | 'approve' | 'drive' | 'admin'): Promise<string> {
    return tokenFor(this.store, { scope, name: scope });
  }

  /** A bare connection to the first terminal, of the same device each time. */
  async socketFor(scope: 'watch' | 'admin'): Promise<WebSocket> {
    const token = (this.#tokens[scope] ??= await this.tokenFor(scope));
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}/api/sessions/${SESSION}/terminals/1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  }

  /** Start one that must start. */
  async start(size: object = {}): Promise<Terminal> {
    const { status, body } = await this.call('POST', `/api/sessions/${SESSION}/terminals`, size);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  }

  /** The processes of all terminals. */
  pids(): { host: number; shell: number }[] {
    return terminalsIn(this.home);
  }

  view(number: number, options: Partial<HubTerminalOptions> = {}): SeenTerminal {
    return new SeenTerminal({ url: this.url, token: this.token, session: SESSION, number, ...options });
  }
}

/** The processes of the terminals of a home. */
export function terminalsIn(home: string): { host: number; shell: number }[] {
  const folder = join(home, 'terminals');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.flatMap((name) => {
    const meta = readTerminalMeta(join(folder, name));
    return meta?.shellPid === undefined ? [] : [{ host: meta.pid, shell: meta.shellPid }];
  });
}

/** They outlive their hub, and must not outlive their test. */
export async function endTerminals(home: string): Promise<void> {
  const hosts = terminalsIn(home).map(({ host }) => host);
  for (const host of hosts) endProcess(host);
  await Promise.all(hosts.map(gone));
}

/** How much of the output is kept: more than any test looks at. */
const KEPT_LENGTH = 1_000_000;

/** A viewer that keeps what it is shown. */
export class SeenTerminal {
  readonly terminal: HubTerminal;
  /** What came since the first screen. */
  text = '';
  screens: string[] = [];
  sizes: string[] = [];
  troubles: string[] = [];
  bells = 0;
  exit: TerminalExit | null | undefined;

  constructor(
    options: Pick<HubTerminalOptions, 'url' | 'token' | 'session' | 'number'> & Partial<HubTerminalOptions>,
  ) {
    const decoder = new TextDecoder('latin1');
    this.terminal = new HubTerminal({
      onScreen: ({ data, cols, rows }) => {
        this.screens.push(data);
        this.sizes.push(`${cols}x${rows}`);
      },
      onOutput: (bytes) => {
        this.text = (this.text + decoder.decode(bytes)).slice(-KEPT_LENGTH);
      },
      onResize: ({ cols, rows }) => void this.sizes.push(`${cols}x${rows}`),
      onBell: () => {
        this.bells += 1;
      },
      onExit: (exit) => {
        this.exit = exit;
      },
      onTrouble: ({ reason }) => void this.troubles.push(reason),
      ...options,
    });
    onTestFinished(() => this.terminal.close());
  }

  /** All that there is to see of it. */
  get seen(): string {
    return (this.screens.at(-1) ?? '') + this.text;
  }

  async opened(): Promise<this> {
    await until(() => this.terminal.state === 'open');
    return this;
  }

  async type(text: string): Promise<void> {
    await this.opened();
    this.terminal.type(text);
  }

  /** Settles when this was shown, also with what comes between two lines of it. */
  shows(text: string | RegExp): Promise<unknown> {
    return until(() => (typeof text === 'string' ? this.seen.includes(text) : text.test(this.seen)));
  }
}

/** Settles when a process is gone. */
export async function gone(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}

function setupIn(home: string, program: readonly string[], shell?: readonly string[]): LaunchSetup {
  // Its history belongs into the test's own home.
  const bash = ['/usr/bin/env', `HOME=${home}`, 'PS1=$ ', '/bin/bash', '--norc', '--noprofile'];
  return { home, program, shell: shell ?? bash, agents: () => [] };
}
