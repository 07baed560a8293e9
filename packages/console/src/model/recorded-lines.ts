import { isJsonObject, parseJson, textAt } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';

/** A line of a session's record, as it was written. */
export interface RecordedLine {
  seq: number;
  /** When the hub got it; undefined for one that is damaged. */
  time: number | undefined;
  author: Author;
  /** For example `assistant` or `system/init`; empty where it is no JSON. */
  kind: string;
  /** The very line: nothing was read and written again. */
  text: string;
}

/** The entries of a window of the record, taken out of the text that the hub answers with. */
export function recordedLinesIn(answer: string): RecordedLine[] {
  const start = answer.indexOf('"entries":[');
  if (start < 0) return [];
  return objectsIn(answer, start + '"entries":['.length).map(lineOf);
}

/** In an entry the line comes last, and what is before it is the hub's own and has no such key. */
const BEFORE_LINE = /,"(message|raw)":/;

function lineOf(entry: string): RecordedLine {
  const found = BEFORE_LINE.exec(entry);
  const head: unknown = parseJson(found ? `${entry.slice(0, found.index)}}` : entry);
  const { seq, time, author } = isJsonObject(head) ? head : {};
  const value = found ? entry.slice(found.index + found[0].length, -1) : '';
  const text = found?.[1] === 'raw' ? String(parseJson(value)) : value;
  return {
    seq: typeof seq === 'number' ? seq : 0,
    time: typeof time === 'number' ? time : undefined,
    author: isJsonObject(author) ? authorOf(author) : { by: 'agent' },
    kind: kindOf(text),
    text,
  };
}

function authorOf(author: Record<string, unknown>): Author {
  const { by } = author;
  if (by === 'person') return { by, name: textAt(author, 'name'), device: textAt(author, 'device') };
  return { by: by === 'hub' ? 'hub' : 'agent' };
}

/** The objects of a list whose first one begins at `from`, each as it stands there. */
function objectsIn(text: string, from: number): string[] {
  const objects: string[] = [];
  let depth = 0;
  let begin = from;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') {
      if (depth === 0) begin = at;
      depth += 1;
    } else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth < 0) break;
      if (depth === 0) objects.push(text.slice(begin, at + 1));
    }
  }
  return objects;
}

/** Where the string ends that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function kindOf(text: string): string {
  try {
    const message: unknown = parseJson(text);
    const detail =
      textAt(message, 'subtype') ||
      (isJsonObject(message)
        ? textAt(message.request, 'subtype') || textAt(message.response, 'subtype')
        : '');
    return [textAt(message, 'type'), detail].filter(Boolean).join('/');
  } catch {
    return '';
  }
}

/** What a reader wants to see of the lines. */
export interface LineFilter {
  words: string;
  from: 'all' | 'agent' | 'others';
}

/** Those lines in which every word occurs, in its kind or its text, whatever its case. */
export function filterLines(
  lines: readonly RecordedLine[],
  { words, from }: LineFilter,
): readonly RecordedLine[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter(({ kind, text, author }) => {
    if (from !== 'all' && (author.by === 'agent') !== (from === 'agent')) return false;
    if (wanted.length === 0) return true;
    const searched = `${kind}\n${text}`.toLowerCase();
    return wanted.every((word) => searched.includes(word));
  });
}
