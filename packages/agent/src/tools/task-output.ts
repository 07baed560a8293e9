import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { BackgroundTask } from '../tasks/task-registry.ts';
import { taskOf } from './known-task.ts';
import { defineTool } from './tool.ts';

/** How long to wait for a task, unless the model asks for another time, and at most. */
export const DEFAULT_WAIT_MS = 30_000;
export const MAX_WAIT_MS = 600_000;

export const taskOutputTool = defineTool({
  name: 'TaskOutput',
  description: `Read what a background task has said so far, and whether it has ended. With \`block\` (the default) it waits for the end of the task, for at most \`timeout\` milliseconds (default ${DEFAULT_WAIT_MS}, at most ${MAX_WAIT_MS}); without, it answers at once.`,
  input: z.object({
    task_id: z.string(),
    block: z.optional(z.boolean()),
    timeout: z.optional(z.number().check(z.nonnegative())),
  }),
  isReadOnly: true,
  async run({ task_id, block = true, timeout = DEFAULT_WAIT_MS }, { session, signal }) {
    const task = taskOf(task_id, session);
    if (block) await waitFor(task, Math.min(timeout, MAX_WAIT_MS), signal);
    const status = task.status();
    const retrieval_status = status !== 'running' ? 'success' : block ? 'timeout' : 'not_ready';
    const exitCode = task.exitCode?.() ?? null;
    const output = task.output();
    const parts = [
      `<retrieval_status>${retrieval_status}</retrieval_status>`,
      `<task_id>${task.id}</task_id>`,
      `<status>${status}</status>`,
      ...(exitCode === null ? [] : [`<exit_code>${exitCode}</exit_code>`]),
      ...(output === '' ? [] : [`<output>\n${output.trimEnd()}\n</output>`]),
    ];
    return {
      content: parts.join('\n'),
      structured: {
        retrieval_status,
        task: {
          task_id: task.id,
          task_type: `local_${task.kind}`,
          status,
          description: task.description,
          output,
          exitCode,
        },
      },
    };
  },
});

async function waitFor(task: BackgroundTask, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const interrupt = (): void => over.abort(signal.reason);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    await Promise.race([task.ended, delay(ms, undefined, { signal: over.signal })]);
  } finally {
    signal.removeEventListener('abort', interrupt);
    over.abort();
  }
}
