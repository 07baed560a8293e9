import { relative } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { listAt, textAt } from '../json-fields.ts';
import { cleanText } from '../text/clean-text.ts';

/** A tool's name as people say it: `mcp__github__list` is `github: list`. */
export function toolTitle(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return cleanText(server && tool ? `${server}: ${tool}` : name).replaceAll('\n', ' ');
}

/** The one thing about a call that tells it from others, on one line. */
export function shortInput(name: string, input: JsonObject, cwd: string): string {
  const [first = '', ...rest] = cleanText(mainField(name, input, cwd))
    .trim()
    .split('\n');
  return rest.length > 0 ? `${first} …` : first;
}

/** A path as it is said in a folder: relative when it is inside. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return path.startsWith('/') && inside !== '' && !inside.startsWith('..') ? inside : path;
}

function mainField(name: string, input: JsonObject, cwd: string): string {
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path') || textAt(input, 'path');
  switch (name) {
    case 'Bash':
      return textAt(input, 'command');
    case 'Read':
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return shownPath(path, cwd);
    case 'Glob':
    case 'Grep':
      return [textAt(input, 'pattern'), path && `in ${shownPath(path, cwd)}`].filter(Boolean).join(' ');
    case 'Task':
    case 'Agent':
      return [textAt(input, 'description'), textAt(input, 'subagent_type')].filter(Boolean).join(' · ');
    case 'TodoWrite':
      return `${listAt(input, 'todos').length} points`;
    case 'AskUserQuestion':
      return listAt(input, 'questions')
        .map((question) => textAt(question, 'question'))
        .join(' ');
    case 'ExitPlanMode':
      return '';
    default:
      return otherFields(input);
  }
}

function otherFields(input: JsonObject): string {
  const fields = Object.entries(input);
  const said = ([name, value]: [string, unknown]): string =>
    `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  const [only] = fields;
  if (fields.length === 1 && typeof only?.[1] === 'string') return only[1];
  return fields.map(said).join(', ').replaceAll('\n', ' ');
}
