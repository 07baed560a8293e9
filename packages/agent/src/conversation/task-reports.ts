import type { SessionCore } from '../loop/session-core.ts';
import { taskNews, tellTaskEnd } from '../loop/tell-task-end.ts';
import { tellCommandStart, tellRunningTasks } from '../loop/tell-tasks.ts';
import type { BackgroundTask, TaskRegistry } from '../tasks/task-registry.ts';

/** Where the news of tasks go. */
interface TaskListener {
  /** Nobody is told of what ends with the session. */
  isClosed(): boolean;
  /** What there is to tell the model. */
  onNews(news: string): void;
}

/** Tells host, hooks and model what goes on in the background. */
export class TaskReports {
  readonly #core: SessionCore;
  readonly #listener: TaskListener;

  constructor(core: SessionCore, listener: TaskListener) {
    this.#core = core;
    this.#listener = listener;
  }

  began(task: BackgroundTask, tasks: TaskRegistry): void {
    void tellRunningTasks(this.#core, tasks);
    void tellCommandStart(this.#core, task);
    void task.ended.then(() => this.#ended(task, tasks));
  }

  #ended(task: BackgroundTask, tasks: TaskRegistry): void {
    const status = task.status();
    if (this.#listener.isClosed() || status === 'running') return;
    const end = {
      task_id: task.id,
      tool_use_id: task.toolUseId,
      status,
      text: task.output(),
      file: task.file,
    };
    void tellTaskEnd(this.#core, end);
    void tellRunningTasks(this.#core, tasks);
    if (status === 'completed') {
      const details = { task_id: task.id, task_subject: task.description };
      void this.#core.hooks.run('TaskCompleted', details, { signal: new AbortController().signal });
    }
    // Who stopped it knows.
    if (status !== 'stopped') this.#listener.onNews(taskNews(end, task.description));
  }
}
