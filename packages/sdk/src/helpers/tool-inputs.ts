import type { ContentBlock, ToolUseBlock } from '../types/api-message.ts';

/** The work of a sub-agent; `Task` and `Agent` are two names of one tool. */
export interface TaskInput {
  description: string;
  prompt: string;
  subagent_type?: string;
  model?: string;
  resume?: string;
  run_in_background?: boolean;
}

/** What the built-in tools are called with, by their names. */
export interface ToolInputs {
  Agent: TaskInput;
  AskUserQuestion: {
    questions: {
      question: string;
      header: string;
      options: { label: string; description: string; preview?: string }[];
      multiSelect?: boolean;
    }[];
    /** By the text of the question; several labels are joined by commas. */
    answers?: Record<string, string>;
  };
  Bash: {
    command: string;
    timeout?: number;
    description?: string;
    run_in_background?: boolean;
    dangerouslyDisableSandbox?: boolean;
  };
  Edit: { file_path: string; old_string: string; new_string: string; replace_all?: boolean };
  EnterPlanMode: Record<string, never>;
  ExitPlanMode: { plan?: string };
  Glob: { pattern: string; path?: string };
  Grep: {
    pattern: string;
    path?: string;
    glob?: string;
    type?: string;
    output_mode?: 'content' | 'files_with_matches' | 'count';
    '-A'?: number;
    '-B'?: number;
    '-C'?: number;
    context?: number;
    '-n'?: boolean;
    '-i'?: boolean;
    head_limit?: number;
    offset?: number;
    multiline?: boolean;
  };
  NotebookEdit: {
    notebook_path: string;
    cell_id?: string;
    new_source: string;
    cell_type?: 'code' | 'markdown';
    edit_mode?: 'replace' | 'insert' | 'delete';
  };
  Read: { file_path: string; offset?: number; limit?: number };
  Skill: { skill: string; args?: string };
  Task: TaskInput;
  TaskOutput: { task_id: string; block?: boolean; timeout?: number };
  TaskStop: { task_id?: string; shell_id?: string };
  TodoWrite: {
    todos: { content: string; status: 'pending' | 'in_progress' | 'completed'; activeForm: string }[];
  };
  WebFetch: { url: string; prompt: string };
  WebSearch: { query: string; allowed_domains?: string[]; blocked_domains?: string[] };
  Write: { file_path: string; content: string };
}

/** A call of a built-in tool, with its input. */
export type ToolUse<Name extends keyof ToolInputs> = ToolUseBlock & { name: Name; input: ToolInputs[Name] };

/** Whether a block is a call of this tool. The agent is trusted that the input is what the tool takes. */
export function isToolUse<Name extends keyof ToolInputs>(
  block: ContentBlock,
  name: Name,
): block is ToolUse<Name> {
  return block.type === 'tool_use' && block.name === name;
}
