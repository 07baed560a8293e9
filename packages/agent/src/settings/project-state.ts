import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { realPath } from '../base/real-path.ts';
import { writeAtomically } from '../base/write-atomically.ts';
import { readSettings, SettingsError } from './settings-file.ts';

/** Who the person is, and what they started us with. */
export interface PersonPlace {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Where `claude` and we note what a person has said about folders. No repository writes there. */
export function trustFile({ home, env }: PersonPlace): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

/** What is noted about folders, by their real paths. Throws `SettingsError` when the file cannot be read. */
export function projectStates(place: PersonPlace): JsonObject {
  const { projects } = readSettings(trustFile(place));
  return isJsonObject(projects) ? projects : {};
}

/** Note something about a folder; everything else in the file stays. */
export async function noteProject(place: PersonPlace, key: string, facts: JsonObject): Promise<void> {
  const file = trustFile(place);
  const state = readSettings(file);
  const projects = state.projects ?? {};
  if (!isJsonObject(projects)) throw new SettingsError(file, '"projects" is not an object');
  const before = isJsonObject(projects[key]) ? projects[key] : {};
  const changed = { ...projects, [key]: { ...before, ...facts } };
  await writeAtomically(realPath(file), `${JSON.stringify({ ...state, projects: changed }, null, 2)}\n`);
}
