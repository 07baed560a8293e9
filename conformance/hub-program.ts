import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Mismatch } from './check.ts';

export const SIGNALBOX = fileURLToPath(new URL('../dist/signalbox.js', import.meta.url));

/** How often a scene looks whether something has happened. */
export const LOOK_MS = 20;

/** Signalbox as an earlier version of it: in a folder of its own, which an upgrade takes away. Gives its command. */
export async function earlierInstall(folder: string): Promise<string> {
  const root = dirname(dirname(SIGNALBOX));
  const isShipped = (path: string): boolean => !/^(npm|test)$/.test(relative(join(root, 'dist'), path));
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isShipped });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist', 'signalbox.js');
}

/** `signalbox up` in a process and a home of its own; settles when it can be dialled. */
export async function startHub(
  home: string,
  port: number,
  flags: readonly string[] = [],
  program = SIGNALBOX,
  variables: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const args = [program, 'up', '--no-welcome', ...flags, '--port', String(port)];
  const hub = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  hub.stdout.on('data', (chunk) => (said += String(chunk)));
  while (!said.includes('is up at')) {
    if (hub.exitCode !== null) throw new Mismatch(`the hub ended with ${hub.exitCode}`);
    await pause(LOOK_MS);
  }
  return hub;
}

/** Send a signal to a process that may have ended, and wait for its end. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
