import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/** A project's folder name is cut here; a hash of the whole path keeps it apart from its neighbours. */
const PROJECT_KEY_LIMIT = 200;

/** Where the sessions of one working directory are kept. */
export interface SessionPlaces {
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

/** The places that `claude` uses too: each opens the other's sessions. */
export function sessionPlaces(cwd: string, env: NodeJS.ProcessEnv, home: string): SessionPlaces {
  const configDir = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const path = realPath(cwd);
  const projects = join(configDir, 'projects');
  const projectFolder = join(projects, projectKey(path));
  return {
    configDir,
    cwd: path,
    projectFolder,
    // Old versions of claude never cut the name.
    projectFolders: [...new Set([projectFolder, join(projects, plainKey(path))])],
    transcriptOf: (sessionId) => join(projectFolder, `${sessionId}.jsonl`),
    backupsOf: (sessionId) => join(configDir, 'file-history', sessionId),
  };
}

/** The name of a working directory's folder among the projects. */
export function projectKey(path: string): string {
  const key = plainKey(path);
  if (key.length <= PROJECT_KEY_LIMIT) return key;
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0;
  return `${key.slice(0, PROJECT_KEY_LIMIT)}-${Math.abs(hash).toString(36)}`;
}

function plainKey(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** A working directory may vanish while the agent runs; its sessions are still found by the path it had. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
