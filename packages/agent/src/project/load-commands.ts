import { findMarkdown } from './find-files.ts';
import { readMarkdown } from './front-matter.ts';
import { commandName, commandOf, type PluginIdentity, type ProjectCommand } from './project-command.ts';
import { type OnProblem, orProblem } from './project-file-error.ts';
import { type ProjectLocation, projectFolders, type SourceFolder, userFolders } from './project-location.ts';

/** The custom commands of a person and a project. Of two with the same name the first one holds: the person's. */
export async function loadCommands(location: ProjectLocation): Promise<ProjectCommand[]> {
  const folders = [...userFolders(location, 'commands'), ...projectFolders(location, 'commands')];
  const loaded = await Promise.all(folders.map((folder) => commandsIn(folder, location)));
  return loaded.flat();
}

/** The commands in a folder and below it. */
export async function commandsIn(
  folder: SourceFolder,
  { cwd, onProblem }: { cwd: string; onProblem: OnProblem },
  plugin?: PluginIdentity,
): Promise<ProjectCommand[]> {
  const commands: ProjectCommand[] = [];
  for (const path of await findMarkdown(folder, onProblem)) {
    const origin = { ...folder, kind: 'command' as const, name: commandName(folder.path, path), plugin, cwd };
    const command = await orProblem(onProblem, async () => commandOf(await readMarkdown(path), origin));
    if (command) commands.push(command);
  }
  return commands;
}
