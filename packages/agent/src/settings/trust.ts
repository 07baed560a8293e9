import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@signalbox/protocol';
import { realPath } from '../permission/call-paths.ts';
import { writeAtomically } from '../tools/files/write-atomically.ts';
import { readSettings, SettingsError } from './settings-file.ts';

/** Who the person is, and what they started us with. */
export interface PersonPlace {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Where `claude` and we note which folders a person trusts. */
export function trustFile({ home, env }: PersonPlace): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

/**
 * Whether the files of a folder speak for the person. Its parents count too, but not the home folder: whatever was
 * ever downloaded lies below it. Throws `SettingsError` when the person's own file cannot be read.
 */
export function isTrusted(folder: string, place: PersonPlace): boolean {
  if (place.env.SIGNALBOX_TRUST_PROJECT === '1') return true;
  const path = realPath(folder);
  const home = realPath(place.home);
  if (path === home) return true;
  const { projects } = readSettings(trustFile(place));
  if (!isJsonObject(projects)) return false;
  return withParents(path)
    .filter((candidate) => candidate !== home && candidate !== dirname(candidate))
    .some((candidate) => {
      const project = projects[candidate];
      return isJsonObject(project) && project.hasTrustDialogAccepted === true;
    });
}

/** Note that a person trusts a folder, or the repository it is in; everything else in the file stays. */
export async function trustProject(folder: string, place: PersonPlace): Promise<void> {
  const file = trustFile(place);
  const state = readSettings(file);
  const projects = state.projects ?? {};
  if (!isJsonObject(projects)) throw new SettingsError(file, '"projects" is not an object');
  const key = projectRoot(folder);
  const project = isJsonObject(projects[key]) ? projects[key] : {};
  const trusted = { ...projects, [key]: { ...project, hasTrustDialogAccepted: true } };
  await writeAtomically(file, `${JSON.stringify({ ...state, projects: trusted }, null, 2)}\n`);
}

/** The name under which a folder is trusted: that of its repository, as `claude` has it. */
function projectRoot(folder: string): string {
  const path = realPath(folder);
  return withParents(path).find((candidate) => existsSync(join(candidate, '.git'))) ?? path;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
