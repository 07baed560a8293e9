import * as z from 'zod/mini';
import { ToolFailure } from '../base/tool-failure.ts';
import { taskOf } from './known-task.ts';
import { defineTool } from './tool.ts';

export const taskStopTool = defineTool({
  name: 'TaskStop',
  description: 'End a background task, with every process it has started.',
  input: z.object({ task_id: z.optional(z.string()), shell_id: z.optional(z.string()) }),
  isReadOnly: true,
  async run({ task_id, shell_id }, { session }) {
    const id = task_id ?? shell_id;
    if (id === undefined) throw new ToolFailure('Say which task to stop: task_id is missing.');
    const task = taskOf(id, session);
    if (task.status() !== 'running')
      throw new ToolFailure(`Task ${id} is not running: it has ${task.status()}.`);
    await task.stop('parent');
    const message = `Successfully stopped task: ${id} (${task.description})`;
    return {
      content: message,
      structured: { message, task_id: id, task_type: `local_${task.kind}`, command: task.description },
    };
  },
});
