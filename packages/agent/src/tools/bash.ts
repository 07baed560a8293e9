import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { Command, type CommandEnd } from '../process/command.ts';
import { KeptOutput } from '../process/kept-output.ts';
import type { Launch, Sandbox } from '../sandbox/sandbox.ts';
import { BashTask } from '../tasks/bash-task.ts';
import { argsNotingCwd } from './shell/shell-script.ts';
import { assertCwd, moveTo, takeNote } from './shell/working-directory.ts';
import { defineTool, type ToolCallContext, type ToolResult } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

/** How long a command may take, unless the model asks for more, and how much more it may ask for. */
export const DEFAULT_TIMEOUT_MS = 120_000;
export const MAX_TIMEOUT_MS = 600_000;

/** A timer that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What is kept of each of the two output streams: half of it from the start, half from the end. */
export const MAX_OUTPUT_CHARS = 30_000;

export const bashTool = defineTool({
  name: 'Bash',
  description: [
    'Run a command in bash and return what it prints.',
    '- The working directory is kept between calls as long as it stays inside of the working directories; variables, functions and aliases are not. Quote paths with spaces.',
    `- A command is ended with everything it started after \`timeout\` milliseconds (default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}). There is no terminal and no input: use flags that answer prompts.`,
    '- For servers, watchers and long jobs set `run_in_background`: the call returns at once with a task id, `timeout` does not apply, and the command runs until it ends, TaskStop ends it, or the session is over. Read what it says with TaskOutput.',
    `- Of more than ${MAX_OUTPUT_CHARS} characters of output only the beginning and the end are kept; filter or write to a file what you need in full.`,
    '- Where commands are confined to a sandbox, set `dangerouslyDisableSandbox` only for one that failed because of it.',
    '- Prefer Read, Edit, Write, Glob and Grep over cat, sed, echo, find and grep.',
  ].join('\n'),
  input: z.object({
    command: z.string(),
    timeout: z.optional(z.number().check(z.positive())),
    description: z.optional(z.string()),
    run_in_background: z.optional(z.boolean()),
    dangerouslyDisableSandbox: z.optional(z.boolean()),
  }),
  async run(input, context) {
    await assertCwd(context.session);
    return input.run_in_background ? runInBackground(input, context) : runAndWait(input, context);
  },
});

interface BashInput {
  command: string;
  timeout?: number | undefined;
  description?: string | undefined;
  dangerouslyDisableSandbox?: boolean | undefined;
}

async function runAndWait(input: BashInput, { session, signal }: ToolCallContext): Promise<ToolResult> {
  const { env } = session;
  const timeoutMs = Math.min(
    input.timeout ?? setting(env, 'BASH_DEFAULT_TIMEOUT_MS', DEFAULT_TIMEOUT_MS),
    setting(env, 'BASH_MAX_TIMEOUT_MS', MAX_TIMEOUT_MS),
    LONGEST_TIMER_MS,
  );
  const maxChars = setting(env, 'BASH_MAX_OUTPUT_LENGTH', MAX_OUTPUT_CHARS);
  const stdout = new KeptOutput(maxChars);
  const stderr = new KeptOutput(maxChars);
  const mark = session.tasks.newMark();
  const sandbox = sandboxFor(input, session);
  const cwdFile = join(tmpdir(), `signalbox-${mark}cwd`);
  const bashArgs = argsNotingCwd(input.command, sandbox?.noteFile ?? cwdFile);
  const { release, ...launched } = await launch(bashArgs, session, sandbox, cwdFile);
  let end: CommandEnd | 'timeout';
  try {
    const command = await Command.start({
      ...launched,
      cwd: session.cwd,
      mark,
      onStdout: (text) => stdout.add(text),
      onStderr: (text) => stderr.add(text),
    });
    end = await endOf(command, timeoutMs, signal);
  } finally {
    release();
  }
  const note = await moveTo(await takeNote(cwdFile), session);
  const said = { stdout: trimLines(stdout.text()), stderr: trimLines([stderr.text(), note].join('\n')) };
  if (signal.aborted) {
    const structured = { ...said, interrupted: true, isImage: false };
    return { content: textOf('The command was interrupted', said), isError: true, structured };
  }
  const problem = end === 'timeout' ? `The command was ended after ${timeoutMs} ms` : problemOf(end);
  if (problem !== '') {
    const hint = end === 'timeout' ? undefined : sandbox?.describe();
    return { content: [textOf(problem, said), hint].filter(Boolean).join('\n'), isError: true };
  }
  return {
    content: textOf('', said) || '(no output)',
    structured: { ...said, interrupted: false, isImage: false },
  };
}

async function endOf(
  command: Command,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CommandEnd | 'timeout'> {
  const clock = { ranOut: false };
  const kill = (): void => void command.kill();
  const timer = setTimeout(() => {
    clock.ranOut = true;
    kill();
  }, timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const end = await command.ended;
  clearTimeout(timer);
  signal.removeEventListener('abort', kill);
  return clock.ranOut ? 'timeout' : end;
}

async function runInBackground(
  input: BashInput,
  { session, toolUseId }: ToolCallContext,
): Promise<ToolResult> {
  session.tasks.assertRoom();
  const { cwd, env } = session;
  const { command, description = command } = input;
  const { release, ...launched } = await launch(['-c', command], session, sandboxFor(input, session));
  const starting = BashTask.start({
    ...launched,
    cwd,
    mark: session.tasks.newMark(),
    description,
    line: command,
    toolUseId,
    maxOutputChars: setting(env, 'BASH_MAX_OUTPUT_LENGTH', MAX_OUTPUT_CHARS),
    fileOf: (taskId) => session.tasks.fileOf(taskId),
  });
  starting.then(({ ended }) => ended).then(release, release);
  const task = await starting;
  session.tasks.add(task);
  return {
    content: `Command running in background with ID: ${task.id}. Read its output with TaskOutput, end it with TaskStop.`,
    structured: { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: task.id },
  };
}

/** What confines a command, if anything does. */
function sandboxFor(input: BashInput, { sandbox }: ToolSession): Sandbox | undefined {
  return sandbox?.holds({ ...input }) ? sandbox : undefined;
}

/**
 * Variables with which bash takes a line for something else than it was judged to be: `cd a` would go to another folder,
 * and `**` or `@(a)` would be patterns.
 */
const MEANS_SOMETHING_ELSE = ['CDPATH', 'BASHOPTS', 'SHELLOPTS', 'GLOBIGNORE'];

/** How bash is run with these arguments. */
async function launch(
  args: readonly string[],
  { cwd, env: given, originalCwd, additionalDirectories = [] }: ToolSession,
  sandbox: Sandbox | undefined,
  noteFile?: string,
): Promise<Launch> {
  const env = { ...given };
  for (const name of MEANS_SOMETHING_ELSE) delete env[name];
  if (!sandbox) return { program: 'bash', args, env, release: () => {} };
  const folders = [originalCwd, ...additionalDirectories].map((folder) => resolve(originalCwd, folder));
  return sandbox.launch({ args, cwd, env, folders, ...(noteFile === undefined ? {} : { noteFile }) });
}

function problemOf({ code, signal }: CommandEnd): string {
  if (code === 0) return '';
  return code === null ? `The command was killed by ${signal}` : `Exit code ${code}`;
}

function textOf(problem: string, said: { stdout: string; stderr: string }): string {
  return [problem, said.stdout, said.stderr].filter(Boolean).join('\n');
}

function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

/** A limit that the environment may set: a positive number, or it does not count. */
function setting(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const value = Number(env[name]);
  return Number.isFinite(value) && value > 0 ? value : otherwise;
}
