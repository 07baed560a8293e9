import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SIGNALBOX = fileURLToPath(new URL('../dist/signalbox.js', import.meta.url));

/** The system counts a process's time in these. */
const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK']));

/** A process that is watched from outside. */
export class Watched {
  readonly #child: ChildProcess;
  readonly #folder: string | undefined;

  constructor(child: ChildProcess, folder?: string) {
    this.#child = child;
    this.#folder = folder;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The time that it has had on processors, all threads together. */
  cpuMs(): number {
    const fields = this.#proc('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  /** The memory that it has at the moment. */
  memoryKib(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(this.#proc('status'))?.[1] ?? Number.NaN);
  }

  /** The most memory that it had. */
  peakKib(): number {
    return Number(/VmHWM:\s+(\d+)/.exec(this.#proc('status'))?.[1] ?? Number.NaN);
  }

  async end(): Promise<void> {
    const exited = once(this.#child, 'exit');
    if (this.#child.kill('SIGKILL')) await exited;
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  #proc(name: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${name}`, 'utf8');
  }
}

/** A process of the benchmark that does what it is asked, one thing at a time. */
export class Helper extends Watched {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    super(child);
    this.#child = child;
  }

  static async start(file: string): Promise<Helper> {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    });
    await once(child, 'message');
    return new Helper(child);
  }

  /** Settles with what it answers. */
  async ask<Result>(what: object): Promise<Result> {
    const over = new AbortController();
    const { signal } = over;
    const answered = once(this.#child, 'message', { signal });
    const failed = once(this.#child, 'exit', { signal }).then(([code]) => {
      throw new Error(`A helper has left with ${code}.`);
    });
    this.#child.send(what);
    const [answer] = await Promise.race([answered, failed]);
    failed.catch(() => {});
    over.abort();
    if ('error' in answer) throw new Error(answer.error);
    return answer.result;
  }
}

/** A place that agents and viewers dial, and how they do it. */
export interface Place {
  kind: 'hub' | 'relay';
  url: string;
  token: string;
  process: Watched;
  /** Where a hub keeps its files. */
  home?: string;
}

/** What it takes to dial one. */
export function dialled({ kind, url, token }: Place): Pick<Place, 'kind' | 'url' | 'token'> {
  return { kind, url, token };
}

/** `signalbox up`, built and as users run it, with data of its own: in its home, unless a PostgreSQL database is named. */
export async function startHub(nodeFlags: readonly string[] = [], database?: string): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const child = spawn(process.execPath, [...nodeFlags, SIGNALBOX, 'up', '--no-welcome', '--port', '0'], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SIGNALBOX_HOME: home,
      ...(database === undefined ? {} : { SIGNALBOX_DATABASE: database }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes('Ctrl-C')) {
    if (child.exitCode !== null) throw new Error('The hub did not start.');
    await pause(20);
  }
  return {
    kind: 'hub',
    url: /is up at (\S+)/.exec(output)?.[1]?.replace('http', 'ws') ?? '',
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
    process: new Watched(child, home),
    home,
  };
}

/** What ours is compared with: gives each message to each viewer, and keeps nothing. */
export async function startRelay(): Promise<Place> {
  const relay = await Helper.start('./hub-relay.ts');
  return { kind: 'relay', url: await relay.ask<string>({ do: 'listen' }), token: '', process: relay };
}

/** The processes that speak and watch; they can dial one place after the other. */
export interface Cast {
  agents: Helper;
  viewers: Helper;
  end(): Promise<void>;
}

export async function startCast(): Promise<Cast> {
  const [agents, viewers] = await Promise.all([
    Helper.start('./hub-agents.ts'),
    Helper.start('./hub-viewers.ts'),
  ]);
  return { agents, viewers, end: async () => void (await Promise.all([agents.end(), viewers.end()])) };
}
