import { join } from 'node:path';
import { plainProjectKey, projectKey } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';

/** Where the sessions of one working directory are kept. */
export interface SessionPaths {
  readonly configDir: string;
  readonly cwd: string;
  /** New transcripts go here. */
  readonly projectFolder: string;
  /** Where transcripts may lie, the preferred folder first. */
  readonly projectFolders: readonly string[];
  transcriptOf(sessionId: string): string;
  /** What a session's files were before they were changed. */
  backupsOf(sessionId: string): string;
}

/** The same paths as `claude` uses: each opens the other's sessions. */
export function sessionPathsOf(cwd: string, env: NodeJS.ProcessEnv, home: string): SessionPaths {
  const configDir = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const path = realPath(cwd);
  const projects = join(configDir, 'projects');
  const projectFolder = join(projects, projectKey(path));
  return {
    configDir,
    cwd: path,
    projectFolder,
    // Old versions of claude never cut the name.
    projectFolders: [...new Set([projectFolder, join(projects, plainProjectKey(path))])],
    transcriptOf: (sessionId) => join(projectFolder, `${sessionId}.jsonl`),
    backupsOf: (sessionId) => join(configDir, 'file-history', sessionId),
  };
}
