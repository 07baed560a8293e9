import type { PermissionMode } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { readFilter } from '../permission/read-filter.ts';
import { FileMemory } from '../tools/file-memory.ts';
import type { ToolSession } from '../tools/tool-session.ts';
import { askForTool } from './ask-aside.ts';
import type { SessionCore } from './session-core.ts';

/** What the tools of all threads of a session share. */
export interface SharedTools extends Pick<ToolSession, 'originalCwd' | 'home' | 'tasks' | 'sandbox'> {
  /** The model that answers the side questions of tools. */
  readonly modelName: () => string;
}

/** What the tools of one thread work with. */
export interface ThreadTools extends ToolSession {
  /** The same session, with reads, to-dos and a folder of its own. */
  forSubAgent(mode: () => PermissionMode): ThreadTools;
}

/** The tools' view of a session, for one of its threads. */
export function threadTools(
  core: SessionCore,
  shared: SharedTools,
  place: { cwd: string },
  mode: () => PermissionMode,
): ThreadTools {
  return {
    get id() {
      return core.id;
    },
    ...shared,
    get cwd() {
      return place.cwd;
    },
    set cwd(folder) {
      place.cwd = folder;
    },
    env: core.env,
    files: new FileMemory(),
    todos: [],
    get mode() {
      return mode();
    },
    setMode: (next) => core.permissions.setMode(next),
    get additionalDirectories() {
      return core.permissions.directories;
    },
    readFilter: (toolName) =>
      readFilter(toolName, core.permissions.rules, { cwd: realPath(shared.originalCwd), home: shared.home }),
    beforeFileChange: async (path) => core.checkpoints?.beforeFileChange(path),
    askModel: (question, signal) => askForTool(core, question, shared.modelName(), signal),
    forSubAgent: (own) => threadTools(core, shared, { cwd: shared.originalCwd }, own),
  };
}
