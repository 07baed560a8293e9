import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { until } from './test-parts.ts';

/** The command as it is built. */
export const SIGNALBOX = fileURLToPath(new URL('../../../../dist/signalbox.js', import.meta.url));

/** `signalbox up` in a process of its own, to be killed. */
export class HubProcess {
  readonly home: string;
  readonly output: () => string;
  /** How long it took until it was up. */
  startMs = 0;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, home: string) {
    this.#child = child;
    this.home = home;
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    this.output = () => output;
    this.exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  /**
   * Without a port it looks for one itself; `variables` are added to its environment. It ends with the test, unless whoever starts it has
   * another use for what ends it.
   */
  static async start(
    home: string,
    port?: number,
    variables: NodeJS.ProcessEnv = {},
    later: (end: () => Promise<void>) => void = onTestFinished,
  ): Promise<HubProcess> {
    const flags = port === undefined ? [] : ['--port', String(port)];
    const child = spawn(process.execPath, [SIGNALBOX, 'up', '--no-welcome', ...flags], {
      env: { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_LOG: 'warn', ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const begunAt = performance.now();
    const hub = new HubProcess(child, home);
    later(() => hub.kill());
    await until(() => hub.output().includes('is up at') || child.exitCode !== null);
    hub.startMs = performance.now() - begunAt;
    return hub;
  }

  get url(): string {
    return /is up at (\S+)/.exec(this.output())?.[1] ?? '';
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The token of this machine's own programs. */
  get token(): string {
    return readFileSync(join(this.home, 'token'), 'utf8').trim();
  }

  tell(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As by kill -9: nothing is finished, and nobody hears of it. */
  async kill(): Promise<void> {
    this.tell('SIGKILL');
    await this.exited;
  }
}
