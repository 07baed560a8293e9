import { formatRule, listAt, parseRule } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { noteProject, projectStates, type UserEnvironment } from './project-state.ts';

/** What a person allowed always in a folder: it counts for them, whoever wrote the folder's files. */
export interface OwnAnswers {
  readonly allow: readonly string[];
  readonly directories: readonly string[];
}

export const NO_ANSWERS: OwnAnswers = { allow: [], directories: [] };

/** What a person has answered in a folder. Throws `SettingsError` when their own file cannot be read. */
export function ownAnswers(folder: string, user: UserEnvironment): OwnAnswers {
  const project = projectStates(user)[realPath(folder)];
  const texts = (key: string): string[] => listAt(project, key).filter((text) => typeof text === 'string');
  return { allow: texts('allowedTools').map(plainRuleText), directories: texts('additionalDirectories') };
}

/** Note what a person has answered in a folder, and forget what they took back. */
export async function keepOwnAnswers(
  folder: string,
  user: UserEnvironment,
  before: OwnAnswers,
  after: OwnAnswers,
): Promise<void> {
  const noted = ownAnswers(folder, user);
  const changed = (known: readonly string[], was: readonly string[], now: readonly string[]): string[] => [
    ...new Set([
      ...known.filter((text) => now.includes(text) || !was.includes(text)),
      ...now.filter((text) => !was.includes(text)),
    ]),
  ];
  const plain = ({ allow }: OwnAnswers): string[] => allow.map(plainRuleText);
  const allowedTools = changed(noted.allow, plain(before), plain(after));
  const directories = changed(noted.directories, before.directories, after.directories);
  const isSame = sameTexts(allowedTools, noted.allow) && sameTexts(directories, noted.directories);
  if (isSame) return;
  await noteProject(user, realPath(folder), {
    allowedTools,
    ...(directories.length > 0 || noted.directories.length > 0 ? { additionalDirectories: directories } : {}),
  });
}

/** A rule as we would write it; rules of other versions stay as they are. */
export function plainRuleText(text: string): string {
  try {
    return formatRule(parseRule(text));
  } catch {
    return text;
  }
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, at) => text === right[at]);
}
