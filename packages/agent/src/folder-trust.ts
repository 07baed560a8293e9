import { homedir } from 'node:os';
import type { FolderTrust } from '@signalbox/protocol/hub';
import { configDir } from './permission/load-permissions.ts';
import { loadSettings } from './settings/load-settings.ts';
import type { UserEnvironment } from './settings/project-state.ts';
import {
  distrustProject,
  trustedFolders as foldersTrusted,
  isTrusted,
  projectRoot,
  trustedParent,
  trustProject,
} from './settings/trust.ts';

/** Whether a person trusts a folder, and what an agent in it would leave out. Throws `SettingsError`. */
export function folderTrust(folder: string, env: NodeJS.ProcessEnv = process.env): FolderTrust {
  const user = userEnvironment(env);
  const settings = loadSettings({
    ...user,
    cwd: folder,
    configDir: configDir(env, user.home),
    options: { settings: undefined, settingSources: ['user', 'project', 'local'] },
    onProblem: () => {},
  });
  return {
    folder,
    root: trustedParent(folder, user) ?? projectRoot(folder, user),
    isTrusted: isTrusted(folder, user),
    withheld: settings.withheld,
  };
}

/** Note that the person trusts a folder, or the repository it is in. */
export async function trustFolder(
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FolderTrust> {
  await trustProject(folder, userEnvironment(env));
  return folderTrust(folder, env);
}

/** Take that back; where one above it is what is trusted, that one. */
export async function distrustFolder(
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FolderTrust> {
  await distrustProject(folder, userEnvironment(env));
  return folderTrust(folder, env);
}

/** The folders that the person trusts. */
export function trustedFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  return foldersTrusted(userEnvironment(env));
}

function userEnvironment(env: NodeJS.ProcessEnv): UserEnvironment {
  return { home: env.HOME || homedir(), env };
}
