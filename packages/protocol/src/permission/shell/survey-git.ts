import { joinPath } from './folder-path.ts';
import { READING_GIT, showsTrackedFiles } from './reading-git.ts';
import { type PathRead, type Survey, single, surveyArguments } from './reading-options.ts';
import type { ShellCommand } from './shell-line.ts';
import { soundsSecret } from './variables.ts';
import type { WordValues } from './word-values.ts';

/** The folder that git is called for, and what follows its own options; undefined where one of them does more than name the folder. */
function gitArguments(
  args: readonly WordValues[],
): { folder: string; rest: readonly WordValues[] } | undefined {
  let folder = '.';
  for (let at = 0; at < args.length; at++) {
    const word = single(args[at]) ?? '-?';
    if (word === '-C') {
      const target = single(args[++at]);
      if (target === undefined) return undefined;
      folder = joinPath(folder, target);
    } else if (!/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word))
      return { folder, rest: args.slice(at) };
  }
  return { folder, rest: [] };
}

export function surveyGit(args: readonly WordValues[]): Survey {
  const read = gitArguments(args);
  const [first, second] = read?.rest ?? [];
  const name = single(first);
  if (!read || name === undefined) return { refusal: 'has an option that is only known when it runs' };
  if (/^--(?:version|help)$/.test(name))
    return read.rest.length === 1 ? { reads: [] } : { refusal: 'has an option' };
  const longer = `${name} ${single(second) ?? ''}`;
  const key = Object.hasOwn(READING_GIT, longer) ? longer : name;
  const row = Object.hasOwn(READING_GIT, key) ? READING_GIT[key] : undefined;
  if (!row) return { refusal: `${name} is not known to only read` };
  const rest = read.rest.slice(key.split(' ').length);
  const texts = rest.map((arg) => (typeof arg === 'string' ? '' : arg.map(({ text }) => text).join(' ')));
  const survey = surveyArguments(row, rest);
  const inCommits = (survey.reads ?? []).flatMap(({ path }) => filesInCommit(path));
  const placed = [...(survey.reads ?? []), ...inCommits].map((path) => ({
    ...path,
    path: joinPath(read.folder, path.path),
  }));
  for (const { path } of inCommits) if (!/^\.\.?\//.test(path)) placed.push({ path, topOf: read.folder });
  if ('refusal' in survey) return { refusal: `${name} ${survey.refusal}`, reads: placed };
  const below = showsTrackedFiles(key, texts) ? ({ below: 'tracked' } as const) : {};
  const all = [{ path: read.folder, ...below }, ...placed.map((path) => ({ ...below, ...path }))];
  return texts.some((text) => runsOrReveals(key, text))
    ? { refusal: `${name} has an argument that runs a program or shows a secret`, reads: all }
    : { reads: all };
}

/** Names with more of them are not followed. */
const MAX_COLONS = 8;

/** `HEAD:.env` shows a file, and so do `:.env` and `:0:.env`; `:/a` and `:(top)a` are below the top of the repository. */
function filesInCommit(path: string): readonly PathRead[] {
  const parts = path.split(':');
  if (parts.length > MAX_COLONS) return [{ path: '/' }];
  const names = parts.map((_, at) => parts.slice(at).join(':')).slice(1);
  return names.flatMap((name) =>
    name === '' ? [] : [{ path: name.replace(/^\([^)]*\)/, '').replace(/^\/+/, '') || '.' }],
  );
}

/** Signatures are checked by a program; help is shown by one; some settings are passwords. */
function runsOrReveals(subcommand: string, text: string): boolean {
  if (text === '--help' || /%[-+ ]?G|\bsignature\b/.test(text)) return true;
  return subcommand.startsWith('config') && (/extraheader/i.test(text) || soundsSecret(text));
}

export function isGit({ values }: ShellCommand): boolean {
  return values.some((value) => single(value) === 'git');
}

/** The folder that git is called for. */
export function gitFolders({ values }: ShellCommand): readonly PathRead[] {
  const at = values.findIndex((value) => single(value) === 'git');
  return [{ path: gitArguments(values.slice(at + 1))?.folder ?? '/' }];
}
