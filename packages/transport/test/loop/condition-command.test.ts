import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '@signalbox/testing/is-running';
import { checkCondition } from '@signalbox/transport/loop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('a condition command', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'condition-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const check = (command: string, more: { seconds?: number; signal?: AbortSignal; folder?: string } = {}) =>
    checkCondition({ command, folder, seconds: 60, loop: crypto.randomUUID(), ...more });

  /** The process that a command has named in a file, once it is there. */
  async function pidIn(name: string): Promise<number> {
    const path = join(folder, name);
    while (!existsSync(path) || readFileSync(path, 'utf8') === '') await pause(10);
    return Number(readFileSync(path, 'utf8'));
  }

  it('[LP1159] is met by exit code 0 in the folder, unmet by others, and failed where it cannot be run', async () => {
    expect(await check('test "$PWD" = "$(pwd)" && touch here')).toEqual({ result: 'met' });
    expect(existsSync(join(folder, 'here'))).toBe(true);
    expect(await check('exit 3')).toEqual({ result: 'unmet' });
    expect(await check('no-such-program-anywhere')).toMatchObject({
      result: 'failed',
      code: 'LOOP_CONDITION_FAILED',
    });
    expect(await check('true', { folder: join(folder, 'gone') })).toMatchObject({
      result: 'failed',
      code: 'LOOP_CONDITION_FAILED',
    });
  });

  it('[LP1160] one that hangs is killed after its time with all that it started', async () => {
    const checked = check('sleep 600 & echo $! > child; wait', { seconds: 1 });
    const child = await pidIn('child');
    expect(await checked).toMatchObject({ result: 'failed', code: 'LOOP_CONDITION_TIMEOUT' });
    while (isRunning(child)) await pause(10);
  });

  it('[LP1160] what it leaves in the background ends with it, and so does one that is called off', async () => {
    expect(await check('sleep 600 & echo $! > left')).toEqual({ result: 'met' });
    const left = await pidIn('left');
    while (isRunning(left)) await pause(10);
    const controller = new AbortController();
    const checked = check('echo $$ > shell; sleep 600', { signal: controller.signal });
    const shell = await pidIn('shell');
    controller.abort();
    expect(await checked).toEqual({ result: 'unmet' });
    while (isRunning(shell)) await pause(10);
  });
});
