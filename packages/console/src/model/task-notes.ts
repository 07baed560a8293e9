import { type JsonObject, objectAt, textAt } from '@signalbox/protocol';
import { t } from '../words/t.ts';
import type { Note } from './notes.ts';

const ENDS: Record<string, string> = t.model.taskEnds;

interface Task {
  isAgent: boolean;
  isInBackground: boolean;
  description: string;
}

/** What goes on beside the conversation, by its id. What a sub-agent says is under its call, and is not said again. */
export class TaskNotes {
  readonly #tasks = new Map<string, Task>();

  /** Take a message of the agent; what is to be said about a task that has ended, and undefined for all else. */
  hear(message: JsonObject): Note | undefined {
    if (message.type !== 'system') return undefined;
    const id = textAt(message, 'task_id');
    if (message.subtype === 'task_started') this.#tasks.set(id, taskIn(message));
    if (message.subtype === 'task_updated') this.#update(id, objectAt(message, 'patch'));
    return message.subtype === 'task_notification' ? this.#end(id, message) : undefined;
  }

  #update(id: string, patch: JsonObject): void {
    const task = this.#tasks.get(id);
    if (task && patch.is_backgrounded === true) this.#tasks.set(id, { ...task, isInBackground: true });
  }

  #end(id: string, message: JsonObject): Note {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    const status = textAt(message, 'status');
    const end = ENDS[status] ?? status;
    const tone = status === 'failed' ? 'warning' : 'quiet';
    const summary = textAt(message, 'summary');
    if (task?.isAgent)
      return task.isInBackground ? { text: t.model.taskEnded(task.description, end), tone } : null;
    const isLine = summary !== '' && !summary.includes('\n');
    if (isLine) return { text: t.model.backgroundSaid(end, summary), tone };
    return { text: t.model.backgroundEnded(end), tone, ...(summary === '' ? {} : { detail: summary }) };
  }
}

function taskIn(message: JsonObject): Task {
  return {
    isAgent: message.task_type === 'local_agent',
    isInBackground: message.is_backgrounded !== false,
    description: textAt(message, 'description'),
  };
}
