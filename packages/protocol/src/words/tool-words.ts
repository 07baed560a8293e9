import { type JsonObject, listAt, textAt } from '../json-fields.ts';
import { fileRuleName, isAgentTool } from '../permission/tool-name.ts';

/** A tool's name as people say it: `mcp__github__list` is `github: list`. */
export function spokenName(toolName: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? [];
  return server && tool ? `${server}: ${tool}` : toolName;
}

/** The one thing about a call that tells it from others, on one line; `clean` takes out what may not be shown. */
export function shortInput(
  toolName: string,
  input: JsonObject,
  folder: string | null,
  clean = (text: string) => text,
): string {
  const [first = '', ...rest] = clean(mainField(toolName, input, folder))
    .trim()
    .split('\n');
  return rest.length > 0 ? `${first} …` : first;
}

/** A path as it is said in a folder: relative when it is inside. */
export function shownPath(path: string, folder: string | null): string {
  // One that climbs may lead out again: who has to judge it sees all of it.
  const isInside = folder && path.startsWith(`${folder}/`) && !path.includes('/../');
  return isInside ? path.slice(folder.length + 1) : path;
}

function mainField(toolName: string, input: JsonObject, folder: string | null): string {
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path') || textAt(input, 'path');
  switch (toolName) {
    case 'Bash':
      return textAt(input, 'command');
    case 'Glob':
    case 'Grep':
      return [textAt(input, 'pattern'), path && `in ${shownPath(path, folder)}`].filter(Boolean).join(' ');
    case 'TodoWrite':
      return `${listAt(input, 'todos').length} points`;
    case 'AskUserQuestion':
      return listAt(input, 'questions')
        .map((question) => textAt(question, 'question'))
        .join(' ');
    case 'ExitPlanMode':
      return '';
    case 'WebFetch':
      return textAt(input, 'url');
  }
  if (isAgentTool(toolName))
    return [textAt(input, 'description'), textAt(input, 'subagent_type')].filter(Boolean).join(' · ');
  return fileRuleName(toolName) ? shownPath(path, folder) : otherFields(input);
}

function otherFields(input: JsonObject): string {
  const fields = Object.entries(input);
  const said = ([name, value]: [string, unknown]): string =>
    `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  const [only] = fields;
  if (fields.length === 1 && typeof only?.[1] === 'string') return only[1];
  return fields.map(said).join(', ').replaceAll('\n', ' ');
}
