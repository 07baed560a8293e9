import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExpandOptions } from '../../src/project/expand-command.ts';
import type { MemoryLocation } from '../../src/project/load-memory.ts';
import type { ProjectLocation } from '../../src/project/project-location.ts';

/** A home and a repository of a test's own. */
export interface ProjectFolder {
  /** Holds `home` and `repo`. */
  root: string;
  location: ProjectLocation & MemoryLocation;
  expansion: ExpandOptions;
  problems: string[];
  path: (name: string) => string;
  /** Make a file, with the folders it is in. */
  file: (name: string, content: string | Uint8Array) => Promise<string>;
  link: (name: string, target: string) => Promise<void>;
}

/** It is cleaned up after the test. The working directory is the repository, unless another is named. */
export async function projectFolder(cwd = 'repo'): Promise<ProjectFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-project-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const path = (name: string): string => join(root, name);
  await mkdir(path('home/.claude'), { recursive: true });
  await mkdir(path('repo/.git'), { recursive: true });
  await mkdir(path(cwd), { recursive: true });
  const problems: string[] = [];
  const onProblem = (text: string): void => void problems.push(text);
  return {
    root,
    problems,
    path,
    location: {
      cwd: path(cwd),
      configDir: path('home/.claude'),
      home: path('home'),
      sources: ['user', 'project', 'local'],
      trustsProject: true,
      onProblem,
    },
    expansion: {
      cwd: path(cwd),
      home: path('home'),
      runShell: () => Promise.reject(new Error('Nothing was to be run.')),
      mayRead: () => true,
      onProblem,
    },
    async file(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
    async link(name, target) {
      await mkdir(dirname(path(name)), { recursive: true });
      await symlink(target, path(name));
    },
  };
}
