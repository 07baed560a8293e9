import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endTree, TREE_MARK } from '../../src/bridge/agent-tree.ts';

describe.runIf(process.platform === 'linux')('the tree of an agent', () => {
  it('[BR2081] is ended with what is just being started, which has no environment yet', async () => {
    const started: number[] = [];
    onTestFinished(() => started.filter(isRunning).forEach((pid) => void process.kill(pid, 'SIGKILL')));
    for (let time = 0; time < 20; time += 1) {
      const mark = randomUUID();
      // It starts itself anew without end: at many a look it is in between.
      const again = `exec sh -c "$0" "$0"`;
      const env = { PATH: process.env.PATH, [TREE_MARK]: mark };
      const child = spawn('sh', ['-c', again, again], { env, stdio: 'ignore', detached: true });
      const exited = once(child, 'exit');
      await once(child, 'spawn');
      started.push(child.pid ?? 0);
      expect(await endTree(mark)).toBeGreaterThan(0);
      await exited;
    }
    expect(started.filter(isRunning)).toEqual([]);
  });
});
