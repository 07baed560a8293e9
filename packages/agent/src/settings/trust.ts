import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@signalbox/protocol';
import { realPath } from '../base/real-path.ts';
import { noteProject, type PersonPlace, projectStates } from './project-state.ts';

/**
 * Whether the files of a folder speak for the person. Its parents count too, but not the home folder: whatever was
 * ever downloaded lies below it. Throws `SettingsError` when the person's own file cannot be read.
 */
export function isTrusted(folder: string, place: PersonPlace): boolean {
  return place.env.SIGNALBOX_TRUST_PROJECT === '1' || isNotedAsTrusted(folder, place);
}

/** Whether the person has said so for good, and not only for this run. */
export function isNotedAsTrusted(folder: string, place: PersonPlace): boolean {
  return realPath(folder) === realPath(place.home) || trustedParent(folder, place) !== undefined;
}

/** The folder by which this one is trusted: itself, or one above it. */
export function trustedParent(folder: string, place: PersonPlace): string | undefined {
  const home = realPath(place.home);
  const noted = new Set(trustedFolders(place));
  return withParents(realPath(folder))
    .filter((candidate) => candidate !== home && candidate !== dirname(candidate))
    .find((candidate) => noted.has(candidate));
}

/** The folders that a person trusts, by their names. */
export function trustedFolders(place: PersonPlace): string[] {
  return Object.entries(projectStates(place))
    .filter(([, project]) => isJsonObject(project) && project.hasTrustDialogAccepted === true)
    .map(([folder]) => folder)
    .toSorted();
}

/** Note that a person trusts a folder, or the repository it is in. Gives what was noted. */
export async function trustProject(folder: string, place: PersonPlace): Promise<string> {
  const key = projectRoot(folder, place);
  await noteProject(place, key, { hasTrustDialogAccepted: true });
  return key;
}

/** Forget that a person trusts a folder. Gives what was forgotten; undefined when it was not trusted. */
export async function distrustProject(folder: string, place: PersonPlace): Promise<string | undefined> {
  const key = trustedParent(folder, place);
  if (key !== undefined) await noteProject(place, key, { hasTrustDialogAccepted: false });
  return key;
}

/**
 * The name under which a folder is trusted: that of its repository, as `claude` has it. A repository that is the home
 * folder, or all of the machine, would not count for what is below it.
 */
export function projectRoot(folder: string, { home }: PersonPlace): string {
  const path = realPath(folder);
  const isRepository = (candidate: string): boolean =>
    candidate !== realPath(home) && candidate !== dirname(candidate) && existsSync(join(candidate, '.git'));
  return withParents(path).find(isRepository) ?? path;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
