import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cachedPackage } from './cached-package.ts';

export { INSTALL_TIMEOUT_MS } from './cached-package.ts';

/** The versions of the official CLI that everything here is tried with: the last of the old kind, and today's. */
export const REFERENCE_VERSIONS = ['2.1.37', '2.1.325'] as const;
export type ReferenceVersion = (typeof REFERENCE_VERSIONS)[number];

/** A run that hangs must not outlive its test. */
const RUN_LIMIT_MS = 230_000;

/** The path of the official CLI in a pinned version, installed on first use. */
export async function referenceCli(version: ReferenceVersion): Promise<string> {
  const folder = await cachedPackage('@anthropic-ai/claude-code', version);
  return join(folder, 'node_modules', '.bin', 'claude');
}

/** An environment in which the CLI talks to `baseUrl` only, keeps out of the user's home and inherits no session. */
export function referenceEnv(home: string, baseUrl: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: 'scripted',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Root may only skip permissions where the CLI believes itself in a sandbox.
    IS_SANDBOX: '1',
  };
}

export interface ReferenceRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly baseUrl: string;
  readonly cwd: string;
  /** Called with every line of stdout; what it returns goes to stdin, `undefined` ends stdin. */
  readonly onLine?: (line: string) => string | undefined;
  readonly input?: string;
}

/** Runs the CLI to its end in a throw-away home and the given folder. */
export async function runReferenceCli(
  version: ReferenceVersion,
  args: readonly string[],
  { baseUrl, cwd, input, onLine }: RunOptions,
): Promise<ReferenceRun> {
  const executable = await referenceCli(version);
  const home = await mkdtemp(join(tmpdir(), 'signalbox-home-'));
  try {
    const env = referenceEnv(home, baseUrl);
    const child = spawn(executable, args, { cwd, env, timeout: RUN_LIMIT_MS, killSignal: 'SIGKILL' });
    const closed = once(child, 'close');
    let stdout = '';
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    if (input !== undefined) child.stdin.write(input);
    if (!onLine) child.stdin.end();
    for await (const line of createInterface({ input: child.stdout })) {
      stdout += `${line}\n`;
      if (!onLine) continue;
      const answer = onLine(line);
      if (answer === undefined) child.stdin.end();
      else child.stdin.write(answer);
    }
    await closed;
    return { exitCode: child.exitCode, stdout, stderr };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const STREAM_JSON = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

function userLine(content: string): string {
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' })}\n`;
}

/** What a conversation with the CLI gave: its messages in order, and how it ended. */
export interface Conversed {
  readonly messages: Record<string, unknown>[];
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Says one prompt after the other, each when the one before has its result, and gives back every message. */
export async function converse(
  version: ReferenceVersion,
  prompts: readonly string[],
  options: { readonly baseUrl: string; readonly cwd: string; readonly args?: readonly string[] },
): Promise<Conversed> {
  const { args = ['--dangerously-skip-permissions'], ...rest } = options;
  const left = [...prompts];
  const messages: Record<string, unknown>[] = [];
  const { exitCode, stderr } = await runReferenceCli(version, [...STREAM_JSON, ...args], {
    ...rest,
    input: userLine(left.shift() ?? ''),
    onLine: (line) => {
      const message: Record<string, unknown> = JSON.parse(line);
      messages.push(message);
      if (message['type'] !== 'result') return '';
      const next = left.shift();
      return next === undefined ? undefined : userLine(next);
    },
  });
  return { messages, exitCode, stderr };
}
