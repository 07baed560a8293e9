import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInside } from '../base/real-path.ts';
import { listFolder, mustStayInside } from './find-files.ts';
import { readMarkdown } from './front-matter.ts';
import { commandOf, type PluginIdentity, type ProjectCommand } from './project-command.ts';
import { type OnProblem, orProblem } from './project-file-error.ts';
import {
  type ProjectLocation,
  projectFolder,
  projectFolders,
  type SourceFolder,
  upwards,
  userFolders,
} from './project-location.ts';

const SKILL_FILE = 'SKILL.md';

/** The skills of a person and a project. Of two with the same name the first one holds: the person's. */
export async function loadSkills(location: ProjectLocation): Promise<ProjectCommand[]> {
  const folders = [...userFolders(location, 'skills'), ...projectFolders(location, 'skills')];
  const loaded = (await Promise.all(folders.map((folder) => skillsIn(folder, location)))).flat();
  const files = await Promise.all(loaded.map(({ path }) => realpath(path)));
  return loaded.filter((_, at) => files.indexOf(files[at] ?? '') === at);
}

/** The skills that folders below the working directory keep for a file in them, the nearest first. */
export async function loadNestedSkills(location: ProjectLocation, file: string): Promise<ProjectCommand[]> {
  if (!location.sources.includes('project')) return [];
  const below = upwards(dirname(file)).filter(
    (path) => path !== location.cwd && isInside(path, location.cwd),
  );
  const loaded = await Promise.all(
    below.map(async (root) => {
      const within = relative(location.cwd, root).split(sep).join('/');
      const skills = await skillsIn(projectFolder(location, root, 'skills'), location);
      return skills.map((skill) => ({ ...skill, alias: `${within}:${skill.name}` }));
    }),
  );
  return loaded.flat();
}

/** The skills in a folder: each a folder with a file `SKILL.md`. */
export async function skillsIn(
  folder: SourceFolder,
  where: { cwd: string; onProblem: OnProblem },
  plugin?: PluginIdentity,
): Promise<ProjectCommand[]> {
  // Skills are shared by linking to their folders, so these may lie anywhere; what is read in them may not.
  const entries = await listFolder({ path: folder.path, root: undefined }, where.onProblem);
  const skills = entries
    .filter(({ isFolder, path }) => isFolder && existsSync(join(path, SKILL_FILE)))
    .map(({ path }) => skillAt({ ...folder, path }, where, plugin));
  return (await Promise.all(skills)).filter((skill) => skill !== undefined);
}

/** The skill of one folder; undefined, with a problem, if it cannot be used. */
export function skillAt(
  folder: SourceFolder,
  { cwd, onProblem }: { cwd: string; onProblem: OnProblem },
  plugin?: PluginIdentity,
): Promise<ProjectCommand | undefined> {
  return orProblem(onProblem, async () => {
    const path = join(folder.path, SKILL_FILE);
    await mustStayInside(path, folder.path);
    const origin = { ...folder, kind: 'skill' as const, name: basename(folder.path), plugin, cwd };
    return commandOf(await readMarkdown(path), origin);
  });
}
