import { askUserQuestionTool } from './ask-user-question.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { enterPlanModeTool } from './enter-plan-mode.ts';
import { exitPlanModeTool } from './exit-plan-mode.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { notebookEditTool } from './notebook-edit.ts';
import { readTool } from './read.ts';
import { taskOutputTool } from './task-output.ts';
import { taskStopTool } from './task-stop.ts';
import { todoWriteTool } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { webFetchTool } from './web-fetch.ts';
import { webSearchTool } from './web-search.ts';
import { writeTool } from './write.ts';

/** Every built-in tool that a session has from its start; `StructuredOutput` needs a schema. */
export const BUILT_IN_TOOLS: readonly Tool[] = [
  bashTool,
  readTool,
  writeTool,
  editTool,
  notebookEditTool,
  globTool,
  grepTool,
  webFetchTool,
  webSearchTool,
  todoWriteTool,
  askUserQuestionTool,
  enterPlanModeTool,
  exitPlanModeTool,
  taskOutputTool,
  taskStopTool,
];
