import {
  isJsonObject,
  type JsonObject,
  listAt,
  otherFields,
  shownPath,
  spelledOut,
  textAt,
} from '@signalbox/protocol';
import { proposedLines } from '../cards/diff-lines.ts';
import { bold, dim, type Line, plain } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';

/** All that a call would do: nothing is left out, and what cannot be seen is spelled out. */
export function callPreview(name: string, input: JsonObject, width: number, cwd: string): Line[] {
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path');
  const file = (): Line[] => textRows(shownPath(path, cwd), width);
  const text = (field: string): string => spelledOut(textAt(input, field));
  const others = otherFields(name, input).flatMap(([field, value]) => fieldRows(field, value, width));
  switch (name) {
    case 'Bash':
      return [...textRows(textAt(input, 'command'), width), ...others];
    case 'Write':
      return [...file(), ...proposedLines('', text('content'), width), ...others];
    case 'Edit':
      return [...file(), ...proposedLines(text('old_string'), text('new_string'), width), ...others];
    case 'MultiEdit':
      return [...file(), ...listAt(input, 'edits').flatMap((edit) => editRows(edit, width)), ...others];
    case 'Task':
    case 'Agent':
      return [...textRows(textAt(input, 'prompt'), width), ...others];
    default:
      return Object.entries(input).flatMap(([field, value]) => fieldRows(field, value, width));
  }
}

function editRows(edit: unknown, width: number): Line[] {
  if (!isJsonObject(edit)) return [];
  const text = (field: string): string => spelledOut(textAt(edit, field));
  return [
    ...proposedLines(text('old_string'), text('new_string'), width),
    ...otherFields('Edit', edit).flatMap(([field, value]) => fieldRows(field, value, width)),
  ];
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
