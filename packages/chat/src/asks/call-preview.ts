import { type JsonObject, listAt, shownPath, spelledOut, textAt } from '@signalbox/protocol';
import { proposedLines } from '../cards/diff-lines.ts';
import { bold, dim, type Line, plain } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';

/** All that a call would do: nothing is left out, and what cannot be seen is spelled out. */
export function callPreview(name: string, input: JsonObject, width: number, cwd: string): Line[] {
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path');
  const file = (): Line[] => textRows(shownPath(path, cwd), width);
  const text = (field: string): string => spelledOut(textAt(input, field));
  switch (name) {
    case 'Bash':
      return [...textRows(textAt(input, 'command'), width), ...otherFields(input, width)];
    case 'Write':
      return [...file(), ...proposedLines('', text('content'), width)];
    case 'Edit':
      return [
        ...file(),
        ...proposedLines(text('old_string'), text('new_string'), width),
        ...(input.replace_all === true ? [[dim('everywhere in the file')]] : []),
      ];
    case 'MultiEdit':
      return [
        ...file(),
        ...listAt(input, 'edits').flatMap((edit) =>
          proposedLines(
            spelledOut(textAt(edit, 'old_string')),
            spelledOut(textAt(edit, 'new_string')),
            width,
          ),
        ),
      ];
    default:
      return Object.entries(input).flatMap(([field, value]) => fieldRows(field, value, width));
  }
}

/** Whatever else a command comes with changes what it does. What the agent calls it is said elsewhere. */
function otherFields(
  { command: _command, description: _description, ...rest }: JsonObject,
  width: number,
): Line[] {
  return Object.entries(rest).flatMap(([field, value]) => fieldRows(field, value, width));
}

function fieldRows(field: string, value: unknown, width: number): Line[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
  const [first = '', ...rest] = spelledOut(text).split('\n');
  return [
    ...wrapLine([dim(`${spelledOut(field)}: `), plain(first)], width),
    ...rest.flatMap((line) => wrapLine([plain(line)], width)),
  ];
}

function textRows(text: string, width: number): Line[] {
  return spelledOut(text)
    .split('\n')
    .flatMap((line) => wrapLine([bold(line)], width));
}
