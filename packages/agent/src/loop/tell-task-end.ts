import { type SessionCore, stamp } from './session-core.ts';

/** How much of a task's words the host is told at its end; the rest is asked for. */
const SUMMARY_CHARS = 1000;

/** How a task ended. */
export interface TaskEnd {
  task_id: string;
  tool_use_id?: string;
  status: 'completed' | 'failed' | 'stopped';
  text: string;
  file: string | undefined;
  tokens?: number;
  toolUses?: number;
  durationMs?: number;
}

/** Tell the host that a task has ended. */
export function tellTaskEnd(core: SessionCore, end: TaskEnd): Promise<void> {
  const { task_id, tool_use_id, status, text, file = '', tokens, toolUses, durationMs } = end;
  void core.send({
    type: 'system',
    subtype: 'task_updated',
    task_id,
    patch: { status: status === 'stopped' ? 'killed' : status, end_time: Date.now() },
    ...stamp(core),
  });
  return core.send({
    type: 'system',
    subtype: 'task_notification',
    task_id,
    ...(tool_use_id === undefined ? {} : { tool_use_id }),
    status,
    output_file: file,
    summary: text.slice(0, SUMMARY_CHARS),
    ...(tokens === undefined || toolUses === undefined || durationMs === undefined
      ? {}
      : { usage: { total_tokens: tokens, tool_uses: toolUses, duration_ms: durationMs } }),
    ...stamp(core),
  });
}

/** The same for the model, which started it and has gone on meanwhile. */
export function taskNews({ task_id, status, text }: TaskEnd, description: string): string {
  return `<task-notification>
<task-id>${task_id}</task-id>
<status>${status}</status>
<summary>${description}: ${status}</summary>
<result>${text.slice(0, RESULT_CHARS)}</result>
</task-notification>`;
}

/** How much of a task's words the model is given unasked. */
const RESULT_CHARS = 8000;
