import { type ChildProcess, spawn } from 'node:child_process';
import { messageOf } from '@signalbox/protocol';
import { processStats, withDescendants } from '../stdio/process-tree.ts';
import { processVariables } from '../stdio/running-processes.ts';

/** What our programs hand each other is not for commands. */
const OWN_SECRETS = /^(?:SIGNALBOX_(?:TOKEN|TOKEN_FILE|AGENT_VARIABLES)|CLAUDE_CODE_SESSION_ACCESS_TOKEN)$/;

/** A variable that a command inherits, and by which it is found again after its parent was killed. */
export interface ProcessMark {
  name: string;
  value: string;
}

/** A command to run in a shell. */
export interface MarkedCommand {
  command: string;
  folder: string;
  seconds: number;
  mark: ProcessMark;
  env?: Record<string, string>;
  signal?: AbortSignal;
  onOutput: (text: string) => void;
}

/** How a command ended; `message` is why it could not be run. */
export type CommandEnd =
  | { how: 'exited'; code: number | null }
  | { how: 'timeout' }
  | { how: 'not-run'; message: string };

/** Run a command in a shell. Whatever it started ends with it. Called off by the signal, it is killed. */
export async function runMarked({
  command,
  folder,
  seconds,
  mark,
  env = {},
  signal,
  onOutput,
}: MarkedCommand): Promise<CommandEnd> {
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: folder,
    env: { ...environmentFor(mark), ...env },
    // A process group of its own: what the command starts ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', onOutput);
  let timer: NodeJS.Timeout | undefined;
  const callOff = (): void => killTree(child, mark);
  signal?.addEventListener('abort', callOff, { once: true });
  try {
    return await new Promise<CommandEnd>((resolve) => {
      timer = setTimeout(() => {
        resolve({ how: 'timeout' });
        killTree(child, mark);
      }, seconds * 1000);
      child.once('error', (error) => resolve({ how: 'not-run', message: messageOf(error) }));
      child.once('exit', (code) => resolve({ how: 'exited', code }));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', callOff);
    killTree(child, mark);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** End what commands with this mark left behind, also those of a process that was killed over them. */
export function endMarked({ name, value }: ProcessMark): void {
  const stats = processStats();
  const isMarked = (pid: number): boolean => processVariables(pid)?.includes(`${name}=${value}`) === true;
  const marked = [...stats.keys()].filter(isMarked);
  const members = withDescendants(marked, stats);
  members.delete(process.pid);
  for (const pid of members) kill(pid);
}

function killTree({ pid, exitCode, signalCode }: ChildProcess, mark: ProcessMark): void {
  // Once the shell is gone, its process id may be a stranger's; its group is found by the mark.
  if (pid !== undefined && exitCode === null && signalCode === null) kill(-pid);
  endMarked(mark);
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // ESRCH: gone already.
  }
}

function environmentFor({ name, value }: ProcessMark): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([key]) => !OWN_SECRETS.test(key));
  return { ...Object.fromEntries(kept), [name]: value };
}
