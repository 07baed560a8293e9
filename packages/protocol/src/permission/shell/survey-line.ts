import { asWritten, joinPath } from './folder-path.ts';
import { type PathRead, readsOf, single } from './reading-options.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import { surveyCommand } from './survey-command.ts';
import { gitFolders, isGit } from './survey-git.ts';
import type { WordValues } from './word-values.ts';

/** Something that a line reads, and the folders (from the one that it starts in) that it may be in by then. */
export interface LineRead extends PathRead {
  readonly from: readonly string[];
  /** Whether the command was not understood otherwise. */
  readonly isOfUnknown?: true;
}

/** What a line looks at, as far as its programs are known. */
export interface LineSurvey {
  /** Why it is not known to only read; undefined if it does. */
  readonly refusal: string | undefined;
  /** What a rule for its programs does not cover either. */
  readonly concern: string | undefined;
  /** What its known programs and redirections read, whether or not the rest is known. */
  readonly reads: readonly LineRead[];
  /** Where git is called: the settings of a repository can run programs. */
  readonly repositories: readonly LineRead[];
  /** Variables whose value it shows or uses, and that are not known to be harmless. */
  readonly variables: readonly string[];
  /** The folders that it may be in, where their names are cut into words. */
  readonly splitFolders: readonly string[];
  /** Words of programs that are not known, any of which may be a file. */
  readonly words: readonly LineRead[];
}

/** More folders than this at once are not followed. */
const MAX_FOLDERS = 8;

/** What the line reads; with a reason unless everything in it is known to only read. */
export function surveyLine(line: ShellLine): LineSurvey {
  const reads: LineRead[] = [];
  const repositories: LineRead[] = [];
  const words: LineRead[] = [];
  let from: readonly string[] = ['.'];
  const visited = new Set(from);
  let concern = line.uncertainty;
  let refusal = line.unreadable ?? line.hazards[0] ?? line.oddity;
  for (const command of line.commands) {
    const survey = surveyCommand(command.values, command);
    const placed = (paths: readonly PathRead[]): LineRead[] => paths.map((path) => ({ ...path, from }));
    if ('refusal' in survey) {
      const why = `${single(command.values[0]) ?? 'a program'} ${survey.refusal}`;
      refusal ??= why;
      if (survey.isConcern) concern ??= why;
      words.push(...placed(command.values.slice(1).flatMap(pathsIn)));
    }
    reads.push(...placed(survey.reads ?? []));
    if (isGit(command)) {
      const folders = placed(gitFolders(command));
      repositories.push(
        ...('refusal' in survey ? folders.map((read) => ({ ...read, isOfUnknown: true as const })) : folders),
      );
    }
    const target = folderEntered(command);
    if (target === undefined) continue;
    if (target === UNKNOWN_FOLDER) {
      const why = 'goes to a folder that is only known when it runs';
      refusal ??= why;
      concern ??= why;
      continue;
    }
    const entered = from.map((folder) => joinPath(folder, target));
    const before = command.isRequired ? [] : from;
    from = [...new Set([...before, ...entered, ...entered.map(asWritten)])];
    for (const folder of from) visited.add(folder);
    if (visited.size <= MAX_FOLDERS) continue;
    const why = 'changes the folder too often';
    refusal ??= why;
    concern ??= why;
    // Each change could double them.
    from = ['/'];
  }
  // Where a redirection stands among the commands is not kept: it may be read from any of the folders.
  for (const values of line.inputs) {
    const known = readsOf([values]);
    if (known) reads.push(...known.map((read) => ({ ...read, from: [...visited] })));
    else refusal ??= 'reads from a file that is only known when it runs';
  }
  const splitFolders = line.splitsFolder ? [...visited] : [];
  return { refusal, concern, reads, repositories, variables: line.variables, splitFolders, words };
}

const UNKNOWN_FOLDER = Symbol('unknown folder');

/** The folder to which a command takes the line; undefined if it stays where it is. */
function folderEntered({ values }: ShellCommand): string | typeof UNKNOWN_FOLDER | undefined {
  const program = single(values[0]) ?? '';
  if (program !== 'cd') return isChangeBehind(program, values) ? UNKNOWN_FOLDER : undefined;
  const target = values.length === 2 ? single(values[1]) : undefined;
  return target === undefined || target === '' || target.startsWith('-') ? UNKNOWN_FOLDER : target;
}

/** `pushd x`, `command cd x` */
function isChangeBehind(program: string, values: readonly WordValues[]): boolean {
  const runsBuiltin = /^(?:command|builtin)$/.test(program);
  return (
    /^(?:pushd|popd)$/.test(program) ||
    (runsBuiltin && values.some((value) => /^(?:cd|pushd|popd)$/.test(single(value) ?? '')))
  );
}

/** Whatever in a word may be a file's name. */
function pathsIn(values: WordValues): readonly PathRead[] {
  if (typeof values === 'string') return [];
  return values.flatMap(({ text }) => {
    const value = /^--?[\w-]+=(.+)$/s.exec(text)?.[1] ?? /^(?:-[a-zA-Z]|@|\w+=)(.+)$/s.exec(text)?.[1];
    return [{ path: text }, ...(value === undefined ? [] : [{ path: value }])];
  });
}
