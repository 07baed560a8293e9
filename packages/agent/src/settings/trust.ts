import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { noteProject, projectStates, type UserEnvironment } from './project-state.ts';

/**
 * Whether the files of a folder speak for the person. Its parents count too, but not the home folder: whatever was
 * ever downloaded lies below it. Throws `SettingsError` when the person's own file cannot be read.
 */
export function isTrusted(folder: string, user: UserEnvironment): boolean {
  return user.env.SIGNALBOX_TRUST_PROJECT === '1' || isNotedAsTrusted(folder, user);
}

/** Whether the person has said so for good, and not only for this run. */
export function isNotedAsTrusted(folder: string, user: UserEnvironment): boolean {
  return realPath(folder) === realPath(user.home) || trustedParent(folder, user) !== undefined;
}

/** The folder by which this one is trusted: itself, or one above it. */
export function trustedParent(folder: string, user: UserEnvironment): string | undefined {
  const home = realPath(user.home);
  const noted = new Set(trustedFolders(user));
  return withParents(realPath(folder))
    .filter((candidate) => candidate !== home && candidate !== dirname(candidate))
    .find((candidate) => noted.has(candidate));
}

/** The folders that a person trusts, by their names. */
export function trustedFolders(user: UserEnvironment): string[] {
  return Object.entries(projectStates(user))
    .filter(([, project]) => isJsonObject(project) && project.hasTrustDialogAccepted === true)
    .map(([folder]) => folder)
    .toSorted();
}

/** Note that a person trusts a folder, or the repository it is in. Gives what was noted. */
export async function trustProject(folder: string, user: UserEnvironment): Promise<string> {
  const key = projectRoot(folder, user);
  await noteProject(user, key, { hasTrustDialogAccepted: true });
  return key;
}

/** Forget that a person trusts a folder. Gives what was forgotten; undefined when it was not trusted. */
export async function distrustProject(folder: string, user: UserEnvironment): Promise<string | undefined> {
  const key = trustedParent(folder, user);
  if (key !== undefined) await noteProject(user, key, { hasTrustDialogAccepted: false });
  return key;
}

/**
 * The name under which a folder is trusted: that of its repository, as `claude` has it. A repository that is the home
 * folder, or all of the machine, would not count for what is below it.
 */
export function projectRoot(folder: string, { home }: UserEnvironment): string {
  const path = realPath(folder);
  const isRepository = (candidate: string): boolean =>
    candidate !== realPath(home) && candidate !== dirname(candidate) && existsSync(join(candidate, '.git'));
  return withParents(path).find(isRepository) ?? path;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
