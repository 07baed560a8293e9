import type { JsonObject } from '@signalbox/protocol';
import { listAt, textAt } from './json-fields.ts';

const TITLES: Record<string, string> = {
  AskUserQuestion: 'Question',
  ExitPlanMode: 'Plan',
  TodoWrite: 'To do',
  WebFetch: 'Fetch',
  WebSearch: 'Search the web',
};

/** A tool's name as people say it: `mcp__github__list` is `github: list`. */
export function toolTitle(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server && tool ? `${server}: ${tool}` : (TITLES[name] ?? name);
}

/** The one thing about a call that tells it from others, on one line. */
export function shortInput(name: string, input: JsonObject, folder: string | null): string {
  const [first = '', ...rest] = mainField(name, input, folder).trim().split('\n');
  return rest.length > 0 ? `${first} …` : first;
}

/** A path as it is said in a folder: relative when it is inside. */
export function shownPath(path: string, folder: string | null): string {
  return folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

function mainField(name: string, input: JsonObject, folder: string | null): string {
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path') || textAt(input, 'path');
  switch (name) {
    case 'Bash':
      return textAt(input, 'command');
    case 'Glob':
    case 'Grep':
      return [textAt(input, 'pattern'), path && `in ${shownPath(path, folder)}`].filter(Boolean).join(' ');
    case 'Task':
    case 'Agent':
      return [textAt(input, 'subagent_type'), textAt(input, 'description')].filter(Boolean).join(' · ');
    case 'TodoWrite':
      return `${listAt(input, 'todos').length} points`;
    case 'AskUserQuestion':
      return listAt(input, 'questions')
        .map((question) => textAt(question, 'question'))
        .join(' ');
    case 'ExitPlanMode':
      return '';
    default:
      return path ? shownPath(path, folder) : otherFields(input);
  }
}

function otherFields(input: JsonObject): string {
  const fields = Object.entries(input).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const [only] = fields;
  if (fields.length === 1 && only) return only[1];
  return fields.map(([name, value]) => `${name}: ${value}`.replaceAll('\n', ' ')).join(', ');
}
