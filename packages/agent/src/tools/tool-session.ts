import type { PermissionMode } from '@signalbox/protocol';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import type { FileMemory } from './file-memory.ts';

/** One point of a to-do list. */
export interface Todo {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
  activeForm: string;
}

/** What the tools of a session share. */
export interface ToolSession {
  readonly id: string;
  /** Where commands run; `cd` moves it. */
  cwd: string;
  /** Where the session was started. */
  readonly originalCwd: string;
  /** Where the session may work beside the folder it was started in. */
  readonly additionalDirectories?: readonly string[];
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly files: FileMemory;
  readonly tasks: TaskRegistry;
  todos: readonly Todo[];
  mode: PermissionMode;
  /** What plan mode was entered from, and goes back to. */
  modeBeforePlan?: PermissionMode;
  /** Called before a file is changed, so that the change can be taken back. */
  beforeFileChange(path: string): Promise<void>;
}
