import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, vi } from 'vitest';
import type { ChildTransport } from '../../src/stdio/child-transport.ts';
import { descendantsOf } from '../../src/stdio/process-tree.ts';
import { readLines, rejectionOf, startWriting, untilStill } from '../conversation.ts';
import { linesBeyond } from '../sample-lines.ts';
import { startNode } from './node-child.ts';

const graceMs = { afterEndOfInput: 150, afterSigterm: 150 };

const STAY = 'setInterval(() => {}, 1000);';
const LEAVE_AT_END_OF_INPUT = "process.stdin.resume().on('end', () => process.exit(0));";
const IGNORE_SIGTERM = "process.on('SIGTERM', () => {});";

async function closeTime(child: ChildTransport): Promise<number> {
  const start = performance.now();
  await child.close();
  return performance.now() - start;
}

describe('closing a child', () => {
  it('[TR25] a child that leaves at the end of its input is sent no signal', async () => {
    const child = await startNode(`${LEAVE_AT_END_OF_INPUT} console.log('up')`);
    await readLines(child.receive(), 1);
    await child.close();
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('[TR25] one that ignores the end of its input gets SIGTERM after its grace', async () => {
    const child = await startNode(`${STAY} console.log('up')`, { graceMs });
    await readLines(child.receive(), 1);
    expect(await closeTime(child)).toBeGreaterThanOrEqual(graceMs.afterEndOfInput - 1);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('[TR25] one that ignores SIGTERM too gets SIGKILL after its second grace', async () => {
    const child = await startNode(`${STAY} ${IGNORE_SIGTERM} console.log('up')`, { graceMs });
    await readLines(child.receive(), 1);
    const closing = closeTime(child);
    expect(child.state).toBe('closing');
    expect(await closing).toBeGreaterThanOrEqual(graceMs.afterEndOfInput + graceMs.afterSigterm - 2);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(child.state).toBe('closed');
  });

  it('[TR25] one that does not read what it is sent cannot hold close() up', async () => {
    const child = await startNode(STAY, { graceMs });
    const writer = startWriting(child, linesBeyond(8 * 1024 * 1024, 10_000));
    await untilStill(writer.taken);
    await child.close();
    expect(await rejectionOf(writer.done)).toMatchObject({ code: 'TRANSPORT_CLOSED' });
  });
});

/** Starts a process that ignores SIGTERM, and says its id once that is so. */
function startGrandchild(options: { detached: boolean }): string {
  const code = `${STAY} ${IGNORE_SIGTERM} console.log("up")`;
  return `
    const grandchild = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}], {
      stdio: ['ignore', 'pipe', 'ignore'], detached: ${options.detached}
    });
    grandchild.stdout.once('data', () => console.log(grandchild.pid));`;
}

async function pidOfGrandchild(child: ChildTransport): Promise<number> {
  const [pid] = await readLines(child.receive(), 1);
  expect(isRunning(Number(pid))).toBe(true);
  return Number(pid);
}

describe('what a child started', () => {
  it('[TR26] dies with a child that leaves at the end of its input', async () => {
    const child = await startNode(`${LEAVE_AT_END_OF_INPUT} ${startGrandchild({ detached: false })}`);
    const pid = await pidOfGrandchild(child);
    await child.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('[TR26] dies with a child that was killed by someone else', async () => {
    const child = await startNode(`${STAY} ${startGrandchild({ detached: false })}`);
    const pid = await pidOfGrandchild(child);
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('[TR26] dies with a child that has to be killed, in whatever process group it is', async () => {
    const child = await startNode(`${STAY} ${IGNORE_SIGTERM} ${startGrandchild({ detached: true })}`, {
      graceMs,
    });
    const pid = await pidOfGrandchild(child);
    await child.close();
    expect(isRunning(child.pid)).toBe(false);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('[TR26] never counts the whole machine among what a child started', () => {
    expect(descendantsOf(0)).toEqual([]);
    expect(descendantsOf(1)).toEqual([]);
  });

  it('[TR26] a signal after the end reaches nobody: the id may be a stranger’s', async () => {
    const child = await startNode('');
    await child.exited;
    const kill = vi.spyOn(process, 'kill');
    child.kill('SIGKILL');
    expect(kill).not.toHaveBeenCalled();
    kill.mockRestore();
  });
});
