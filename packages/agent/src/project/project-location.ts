import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { OnProblem } from './project-file-error.ts';

/** Where a project's files for the agent are looked for, and who is told about those that cannot be used. */
export interface ProjectLocation {
  readonly cwd: string;
  /** `$CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. */
  readonly configDir: string;
  /** The folders of `--add-dir`; what they keep counts as the project's. */
  readonly additionalDirectories?: readonly string[];
  readonly sources: AgentOptions['settingSources'];
  /** Whether the project's files speak for the person; otherwise they may not loosen permissions. */
  readonly trustsProject: boolean;
  readonly onProblem: OnProblem;
}

/** Whose file it is. */
export type FileSource = 'user' | 'project' | 'plugin';

/** A folder with files of one kind. */
export interface SourceFolder {
  readonly path: string;
  readonly source: FileSource;
  readonly isTrusted: boolean;
  /** Links must not lead out of this folder: a repository could otherwise have any file of the machine read. */
  readonly root: string | undefined;
  /** The one file of it that is meant. */
  readonly only?: string;
}

/** The person's folder of this name, if it is to be read. */
export function userFolders({ configDir, sources }: ProjectLocation, name: string): SourceFolder[] {
  if (!sources.includes('user')) return [];
  return [{ path: join(configDir, name), source: 'user', isTrusted: true, root: undefined }];
}

/** The project's folders of this name, if they are to be read: the nearest first, up to that of the repository. */
export function projectFolders(location: ProjectLocation, name: string): SourceFolder[] {
  if (!location.sources.includes('project')) return [];
  const roots = [...withinRepository(location.cwd), ...(location.additionalDirectories ?? [])];
  const folders = new Set(roots.map((root) => resolve(location.cwd, root)));
  // In the home folder the project's files are those of the person.
  return Array.from(folders, (root) => projectFolder(location, root, name)).filter(
    ({ path }) => path !== join(location.configDir, name),
  );
}

/** What a folder of the project keeps under this name. */
export function projectFolder({ trustsProject }: ProjectLocation, root: string, name: string): SourceFolder {
  return { path: join(root, '.claude', name), source: 'project', isTrusted: trustsProject, root };
}

/** A folder and those above it, as far as its repository goes; the folder alone where there is none. */
function withinRepository(folder: string): string[] {
  const folders = upwards(folder);
  const last = folders.findIndex((path) => existsSync(join(path, '.git')));
  return last === -1 ? [folder] : folders.slice(0, last + 1);
}

/** A folder and all those above it. */
export function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}
