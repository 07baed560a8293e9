import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { encodeHostMessage, LineDecoder } from '@signalbox/protocol';

/** Our agent, as a command. */
export const OUR_AGENT: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../dist/signalbox-agent.js', import.meta.url)),
];

const DRIVEN = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

/** The system counts a process's time in these. */
const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK']));

/** An agent that is driven over its stdio, in a new folder, and watched from outside. */
export class MeasuredAgent {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #onResult: () => void = () => {};

  constructor([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(program, [...args, ...DRIVEN], {
      cwd: this.folder,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const decoder = new LineDecoder({
      onLine: (line) => {
        if (line.head().type === 'result') this.#onResult();
      },
    });
    this.#child.stdout.on('data', (chunk: Buffer) => decoder.push(chunk));
  }

  /** Say something, and wait for the result. */
  async answer(content: string): Promise<void> {
    const result = new Promise<void>((resolve, reject) => {
      this.#onResult = resolve;
      this.#child.once('exit', (code) => reject(new Error(`The agent left with code ${code}.`)));
    });
    const message = { role: 'user' as const, content };
    this.#child.stdin.write(
      `${encodeHostMessage({ type: 'user', message, parent_tool_use_id: null, session_id: '' })}\n`,
    );
    await result;
    this.#child.removeAllListeners('exit');
  }

  /** The time that the process itself has had on a processor. */
  cpuMs(): number {
    const fields = this.#proc('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  /** The most memory the process itself had, in MiB. */
  peakMib(): number {
    return Number(/VmHWM:\s+(\d+)/.exec(this.#proc('status'))?.[1] ?? Number.NaN) / 1024;
  }

  /** The memory that is this process's alone, in MiB: what it made itself, and not the pages of its program's file. */
  ownMib(): number {
    return Number(/RssAnon:\s+(\d+)/.exec(this.#proc('status'))?.[1] ?? Number.NaN) / 1024;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #proc(name: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${name}`, 'utf8');
  }
}
