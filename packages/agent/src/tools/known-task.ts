import { ToolFailure } from '../base/tool-failure.ts';
import type { BackgroundTask } from '../tasks/task-registry.ts';
import type { ToolSession } from './tool-session.ts';

/** The task with this id; throws, with the ids there are, when there is none. */
export function taskOf(id: string, { tasks }: ToolSession): BackgroundTask {
  const task = tasks.find(id);
  if (task) return task;
  const known = tasks.all().map((other) => other.id);
  throw new ToolFailure(
    `No task found with ID: ${id}. ${known.length > 0 ? `There are: ${known.join(', ')}.` : 'There are none.'}`,
  );
}
