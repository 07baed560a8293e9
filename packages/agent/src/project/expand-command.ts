import { dirname } from 'node:path';
import { headOf } from '../base/cut-text.ts';
import { mentionsIn } from './markdown-text.ts';
import { mentionedFile } from './mentioned-file.ts';
import { Placeholders, pathVariables } from './placeholders.ts';
import type { ProjectCommand } from './project-command.ts';
import { type OnProblem, orProblem, ProjectFileError } from './project-file-error.ts';
import { readText } from './read-text.ts';

/** How much of what a command line says is put into a prompt. */
export const MAX_SHELL_CHARS = 30_000;

/** How many files a prompt may include. */
export const MAX_MENTIONED_FILES = 20;

/** Run a line of a command and say what it printed. The caller asks for permission, and throws where it is refused. */
export type RunShell = (command: string) => Promise<string>;

/** What a command needs to become a prompt. */
export interface ExpandOptions {
  readonly cwd: string;
  readonly home: string;
  readonly runShell: RunShell;
  /** Whether a file may be read unasked. Whoever wrote the command need not be who runs it. */
  readonly mayRead: (path: string) => boolean;
  readonly onProblem: OnProblem;
  readonly sessionId?: string;
}

/** A prompt, and the files that it mentions. */
export interface ExpandedCommand {
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/**
 * Make a prompt of a command. Arguments are put in as they are: what looks like a placeholder, a command line or a
 * file in them is text.
 */
export async function expandCommand(
  command: ProjectCommand,
  args: string,
  options: ExpandOptions,
): Promise<ExpandedCommand> {
  const variables = pathVariables(command, options.cwd);
  if (options.sessionId !== undefined) variables.set('CLAUDE_SESSION_ID', options.sessionId);
  const placeholders = new Placeholders(args, command.argumentNames, variables);
  let text = '';
  for (const part of partsOf(command.body)) {
    const filled = placeholders.fill(part.text);
    text += part.isShell ? headOf(await options.runShell(filled), MAX_SHELL_CHARS).trimEnd() : filled;
  }
  const mentions = mentionsIn(command.body).map((mention) => placeholders.fill(mention));
  if (args.trim() && !placeholders.wereUsed) text = `${text.trimEnd()}\n\nARGUMENTS: ${args.trim()}`;
  if (command.kind === 'skill') text = `Base directory of this skill: ${dirname(command.path)}\n\n${text}`;
  return { text, files: await readMentioned(mentions, options) };
}

/** A prompt as one text: the files that it mentions, then what it says. */
export function promptText({ text, files }: ExpandedCommand): string {
  return [...files.map((file) => `Content of ${file.path}:\n\n${file.text.trimEnd()}`), text].join('\n\n');
}

async function readMentioned(
  mentions: readonly string[],
  { cwd, home, mayRead, onProblem }: ExpandOptions,
): Promise<ExpandedCommand['files']> {
  const files = new Map<string, string>();
  for (const mention of mentions) {
    const path = await mentionedFile(mention, cwd, home);
    if (path === undefined || files.has(path)) continue;
    if (files.size >= MAX_MENTIONED_FILES) {
      onProblem(`A command mentions more than ${MAX_MENTIONED_FILES} files. The others are left out.`);
      break;
    }
    const text = await orProblem(onProblem, () => {
      if (!mayRead(path)) throw new ProjectFileError(path, 'may not be read without asking');
      return readText(path);
    });
    if (text !== undefined) files.set(path, text);
  }
  return Array.from(files, ([path, text]) => ({ path, text }));
}

interface Part {
  readonly isShell: boolean;
  readonly text: string;
}

/** A body, cut where it has command lines: between !` and `, and in blocks that are fenced with ```!. */
function partsOf(body: string): Part[] {
  const parts: Part[] = [];
  const lines = body.split('\n');
  const marks = lines.map((line) => line.trimEnd());
  const lastMark = marks.lastIndexOf('```');
  let from = 0;
  for (let at = marks.indexOf('```!'); at !== -1 && at < lastMark; at = marks.indexOf('```!', from)) {
    const end = marks.indexOf('```', at);
    parts.push(...inlineParts(lines.slice(from, at).concat('').join('\n')));
    parts.push({ isShell: true, text: lines.slice(at + 1, end).join('\n') });
    parts.push({ isShell: false, text: '\n' });
    from = end + 1;
  }
  return [...parts, ...inlineParts(lines.slice(from).join('\n'))];
}

function inlineParts(prose: string): Part[] {
  return prose.split(/(?<=^|\s)!`([^`\n]+)`/).map((text, at) => ({ isShell: at % 2 === 1, text }));
}
