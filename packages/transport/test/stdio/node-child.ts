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
