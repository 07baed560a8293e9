import type Anthropic from '@anthropic-ai/sdk';
import type { PermissionMode } from '@signalbox/protocol';
import type { ReadingTool } from '../permission/read-filter.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import type { FileMemory } from './file-memory.ts';

/** One point of a to-do list. */
export interface Todo {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
  activeForm: string;
}

/** Something to ask a model beside the conversation, which it does not see. */
export interface SideQuestion {
  readonly system: string;
  readonly prompt: string;
  /** Tools that the API itself runs. */
  readonly serverTools?: readonly Anthropic.Beta.BetaWebSearchTool20250305[];
  /** The small model does. */
  readonly isSmall?: boolean;
}

/** What a model said to a side question. */
export interface SideAnswer {
  readonly content: readonly Anthropic.Beta.BetaContentBlock[];
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
  /** Absent where commands are not confined. */
  readonly sandbox?: Sandbox;
  todos: readonly Todo[];
  readonly mode: PermissionMode;
  /** Throws `PermissionModeError` for a mode that the session may not enter. */
  setMode(mode: PermissionMode): void;
  /** What plan mode was entered from, and goes back to. */
  modeBeforePlan?: PermissionMode;
  /** Which files a search may show, by rules about reading; undefined where there are none. */
  readFilter(toolName: ReadingTool): ((path: string) => boolean) | undefined;
  /** Called before a file is changed, so that the change can be taken back. */
  beforeFileChange(path: string): Promise<void>;
  /** Absent where there is no model to ask. */
  readonly askModel?: (question: SideQuestion, signal: AbortSignal) => Promise<SideAnswer>;
}
