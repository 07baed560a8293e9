import type { BackgroundTask, TaskRegistry } from '../tasks/task-registry.ts';
import { type SessionCore, stamp } from './session-core.ts';

const TASK_TYPES = { bash: 'local_bash', agent: 'local_agent' } as const;

/** Tell the host that a command goes on in the background. Sub-agents tell of their start themselves. */
export async function tellCommandStart(core: SessionCore, task: BackgroundTask): Promise<void> {
  if (task.kind !== 'bash') return;
  await core.send({
    type: 'system',
    subtype: 'task_started',
    task_id: task.id,
    tool_use_id: task.toolUseId,
    description: task.description,
    is_backgrounded: true,
    task_type: TASK_TYPES[task.kind],
    ...stamp(core),
  });
}

/** Tell the host what runs in the background now. */
export function tellRunningTasks(core: SessionCore, tasks: TaskRegistry): Promise<void> {
  return core.send({
    type: 'system',
    subtype: 'background_tasks_changed',
    tasks: running(tasks).map(({ id, kind, description }) => ({
      task_id: id,
      task_type: TASK_TYPES[kind],
      description,
    })),
    ...stamp(core),
  });
}

/** What runs in the background, as hooks are told. */
export function tasksForHooks(tasks: TaskRegistry) {
  return running(tasks).map(({ id, kind, description, command }) => ({
    id,
    type: kind === 'bash' ? 'shell' : 'subagent',
    status: 'running',
    description,
    ...(command === undefined ? {} : { command }),
  }));
}

function running(tasks: TaskRegistry): BackgroundTask[] {
  return tasks.all().filter((task) => task.status() === 'running');
}
