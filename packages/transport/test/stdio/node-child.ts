import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type ChildOptions, type ChildTransport, spawnTransport } from '../../src/stdio/child-transport.ts';

/** Run JavaScript in a process of its own, and end that process with the test. */
export async function startNode(code: string, options: Partial<ChildOptions> = {}): Promise<ChildTransport> {
  const child = await spawnTransport({ command: process.execPath, args: ['-e', code], ...options });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child.close();
  });
  return child;
}

/** True while a process runs; one that ended and waits to be noticed by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    // No /proc on this system: the signal has told.
    return (
      error instanceof Error && 'syscall' in error && error.syscall === 'open' && process.platform !== 'linux'
    );
  }
}
