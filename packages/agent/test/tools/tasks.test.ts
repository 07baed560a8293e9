import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { MAX_ENDED_TASKS, MAX_RUNNING_TASKS, TaskRegistry } from '../../src/tasks/task-registry.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { taskOutputTool } from '../../src/tools/task-output.ts';
import { taskStopTool } from '../../src/tools/task-stop.ts';
import { openBench, pidIn, type ToolBench } from './tool-bench.ts';

async function start({ run, session }: ToolBench, command: string, signal?: AbortSignal): Promise<string> {
  const result = await run(bashTool, { command, description: 'my task', run_in_background: true }, signal);
  const id = session.tasks.all().at(-1)?.id ?? '';
  expect(result).toMatchObject({
    content: expect.stringContaining(`Command running in background with ID: ${id}.`),
    structured: { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: id },
  });
  return id;
}

describe('background tasks', () => {
  it('[TL10] run beside the conversation, and tell what they have said and how they ended', async () => {
    const bench = await openBench();
    const task_id = await start(
      bench,
      'echo begun; echo err >&2; until [ -e go ]; do sleep 0.01; done; echo over; exit 3',
    );
    await until(() => bench.session.tasks.find(task_id)?.output() === 'begun\nerr\n');
    const task = {
      task_id,
      task_type: 'local_bash',
      status: 'running',
      description: 'my task',
      exitCode: null,
    };
    expect(await bench.run(taskOutputTool, { task_id, block: false })).toMatchObject({
      structured: { retrieval_status: 'not_ready', task: { ...task, output: 'begun\nerr\n' } },
    });
    expect(await bench.run(taskOutputTool, { task_id, timeout: 50 })).toMatchObject({
      structured: { retrieval_status: 'timeout', task },
    });
    await bench.file('go', '');
    expect(await bench.run(taskOutputTool, { task_id })).toEqual({
      content: `<retrieval_status>success</retrieval_status>\n<task_id>${task_id}</task_id>\n<status>failed</status>\n<exit_code>3</exit_code>\n<output>\nbegun\nerr\nover\n</output>`,
      structured: {
        retrieval_status: 'success',
        task: { ...task, status: 'failed', output: 'begun\nerr\nover\n', exitCode: 3 },
      },
    });
  });

  it('[TL10] outlive their turn, do not move the session, and die with it', async () => {
    const bench = await openBench();
    const turn = new AbortController();
    await start(bench, 'cd /; echo $$ > ~/pid; setsid sleep 60 & echo $! > ~/child; wait', turn.signal);
    const pids = await Promise.all(['pid', 'child'].map((name) => pidIn(`${bench.session.home}/${name}`)));
    turn.abort();
    await bench.run(bashTool, { command: 'true' });
    expect(pids.map(isRunning)).toEqual([true, true]);
    expect(bench.session.cwd).toBe(bench.folder);
    await bench.session.tasks.stopAll();
    await until(() => !pids.some(isRunning));
    expect(bench.session.tasks.all().map((task) => task.status())).toEqual(['stopped']);
  });

  it('[TL11] are stopped with everything they started', async () => {
    const bench = await openBench();
    const task_id = await start(bench, 'setsid sleep 60 & echo $! > pid; wait');
    const pid = await pidIn(bench.path('pid'));
    expect(await bench.run(taskStopTool, { task_id })).toEqual({
      content: `Successfully stopped task: ${task_id} (my task)`,
      structured: {
        message: `Successfully stopped task: ${task_id} (my task)`,
        task_id,
        task_type: 'local_bash',
        command: 'my task',
      },
    });
    await until(() => !isRunning(pid));
    await expect(bench.run(taskStopTool, { task_id })).rejects.toThrow('is not running: it has stopped');
    expect(await bench.run(taskOutputTool, { task_id })).toMatchObject({
      structured: { task: { status: 'stopped' } },
    });
  });

  it('[TL11] that are not known are refused, with those that are', async () => {
    const bench = await openBench();
    await expect(bench.run(taskOutputTool, { task_id: 'nope' })).rejects.toThrow(
      'No task found with ID: nope. There are none.',
    );
    const id = await start(bench, 'true');
    await expect(bench.run(taskStopTool, { shell_id: 'nope' })).rejects.toThrow(`There are: ${id}.`);
    await expect(bench.run(taskStopTool, {})).rejects.toThrow('task_id is missing');
  });

  it('[TL10] waiting for one ends with an interrupt', async () => {
    const bench = await openBench();
    const task_id = await start(bench, 'sleep 60');
    const interrupt = new AbortController();
    const waiting = bench.run(taskOutputTool, { task_id }, interrupt.signal);
    interrupt.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('[TL11] are limited in number, and forgotten in the end', () => {
    const registry = new TaskRegistry();
    const task = (id: string, status: 'running' | 'completed') => ({
      id,
      file: undefined,
      kind: 'bash' as const,
      description: '',
      toolUseId: '',
      status: () => status,
      output: () => '',
      ended: Promise.resolve(),
      stop: () => Promise.resolve(),
    });
    for (let at = 0; at < MAX_ENDED_TASKS + 10; at += 1) registry.add(task(`e${at}`, 'completed'));
    expect(registry.all().length).toBeLessThanOrEqual(MAX_ENDED_TASKS + 1);
    expect(registry.find('e0')).toBeUndefined();
    for (let at = 0; at < MAX_RUNNING_TASKS; at += 1) {
      registry.assertRoom();
      registry.add(task(`r${at}`, 'running'));
    }
    expect(() => registry.assertRoom()).toThrow('Stop one with TaskStop first');
  });
});
