import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const SIGNALBOX = fileURLToPath(new URL('../../../../dist/signalbox.js', import.meta.url));

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bridge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A bridge under test. */
export interface RunningBridge {
  child: ChildProcess;
  pid: number;
  exited: Promise<{ code: number | null; signal: string | null }>;
  stderr: () => string;
}

/** What to run, and as what. */
export interface RunOptions {
  hub: string;
  session?: string;
  home: string;
  command: readonly string[];
  flags?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** The words of a bridge's command line. */
export function bridgeWords({ hub, session = 's', command, flags = [] }: Omit<RunOptions, 'home'>): string[] {
  return [SIGNALBOX, 'bridge', '--hub', hub, '--session', session, ...flags, '--', ...command];
}

/** Nothing of the developer's own environment reaches a bridge under test, nor its agent. */
export function bareEnv(home: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, ...env };
}

/** Run a bridge as a user does; it is told to leave after the test, and its watchdog sees to its agent. */
export function runBridge(options: RunOptions): RunningBridge {
  return runWords(options.home, bridgeWords(options).slice(2), options.env);
}

/** Run `signalbox bridge` with these words. */
export function runWords(home: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): RunningBridge {
  const child = spawn(process.execPath, [SIGNALBOX, 'bridge', ...words], {
    cwd: home,
    env: bareEnv(home, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, pid: child.pid ?? 0, exited, stderr: () => stderr };
}

/** An agent that runs this code; `say(value)` writes a line. */
export function scripted(code: string): string[] {
  return [
    process.execPath,
    '-e',
    `const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');\n${code}`,
  ];
}

/** The lines that an agent says who counts. */
export function numbered(last: number): string[] {
  return Array.from({ length: last }, (_, n) => JSON.stringify({ n: n + 1 }));
}
