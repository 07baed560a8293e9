import { realPath } from '../base/real-path.ts';
import { askForTool } from '../loop/ask-aside.ts';
import type { SessionCore } from '../loop/session-core.ts';
import { readFilter } from '../permission/read-filter.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type BackgroundTask, TaskRegistry } from '../tasks/task-registry.ts';
import { FileMemory } from '../tools/file-memory.ts';
import type { ToolSession } from '../tools/tool-session.ts';

/** What the tools of a session share. */
export function toolSessionOf(
  core: SessionCore,
  place: {
    sandbox?: Sandbox | undefined;
    cwd: string;
    home: string;
    modelName: () => string;
    onTask: (task: BackgroundTask) => void;
  },
): ToolSession {
  return {
    get id() {
      return core.id;
    },
    cwd: place.cwd,
    originalCwd: place.cwd,
    home: place.home,
    env: core.env,
    files: new FileMemory(),
    tasks: new TaskRegistry(place.onTask),
    todos: [],
    get mode() {
      return core.permissions.mode;
    },
    setMode: (mode) => core.permissions.setMode(mode),
    get additionalDirectories() {
      return core.permissions.directories;
    },
    readFilter: (toolName) =>
      readFilter(toolName, core.permissions.rules, { cwd: realPath(place.cwd), home: place.home }),
    beforeFileChange: async (path) => core.checkpoints?.beforeFileChange(path),
    ...(place.sandbox ? { sandbox: place.sandbox } : {}),
    askModel: (question, signal) => askForTool(core, question, place.modelName(), signal),
  };
}
