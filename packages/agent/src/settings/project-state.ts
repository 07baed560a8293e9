import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { writeAtomically } from '../base/write-atomically.ts';
import { readSettings, SettingsError } from './settings-file.ts';

/** The home folder and variables of the user. */
export interface UserEnvironment {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Where `claude` and we note what a person has said about folders. No repository writes there. */
export function trustFile({ home, env }: UserEnvironment): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

/** What is noted about folders, by their real paths. Throws `SettingsError` when the file cannot be read. */
export function projectStates(user: UserEnvironment): JsonObject {
  const { projects } = readSettings(trustFile(user));
  return isJsonObject(projects) ? projects : {};
}

/** Note something about a folder; everything else in the file stays. */
export async function noteProject(user: UserEnvironment, key: string, facts: JsonObject): Promise<void> {
  const { projects = {} } = readSettings(trustFile(user));
  if (!isJsonObject(projects)) throw new SettingsError(trustFile(user), '"projects" is not an object');
  const before = isJsonObject(projects[key]) ? projects[key] : {};
  await noteForPerson(user, { projects: { ...projects, [key]: { ...before, ...facts } } });
}

/** Note something that holds for all folders; everything else in the file stays. */
export async function noteForPerson(user: UserEnvironment, facts: JsonObject): Promise<void> {
  const file = trustFile(user);
  const state = { ...readSettings(file), ...facts };
  // It may hold the credentials of servers: a new one is the person's alone.
  await writeFile(file, '{}', { flag: 'wx', mode: 0o600 }).catch(() => {});
  await writeAtomically(realPath(file), `${JSON.stringify(state, null, 2)}\n`);
}
