import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { SIGNALBOX } from './hub-process.ts';

/** `signalbox up` on a port of its own choice. */
export const UP = [process.execPath, SIGNALBOX, 'up', '--port', '0', '--no-welcome'];

/** Run a command line that ends in {@link UP}, with its data in `home`; killed after the test. */
export function runUp([program = '', ...words]: readonly string[], home: string) {
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_LOG: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return { child, exited, output: () => output, errors: () => errors };
}
