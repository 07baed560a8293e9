import { type JsonObject, shortInput } from '@signalbox/protocol';
import { plainOutput } from './terminal-text.ts';
import { toolTitle } from './tool-title.ts';

/** A line of what goes on in a session, as it is seen from afar. */
export interface SaidLine {
  by: 'person' | 'agent' | 'tool';
  text: string;
}

/** As many as a tile of the board has room for. */
const MAX_LINES = 8;

const LONGEST_LINE = 300;

/** The lines of a text that say something, without the marks of Markdown around them: the last of them. */
export function wordLines(text: string, count = MAX_LINES): string[] {
  return plainOutput(text)
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .slice(-count)
    .map((line) =>
      cutLine(
        line
          .trim()
          .replace(/^(?:[#>*+-]+|\d+\.)\s+/, '')
          .replaceAll(/\*\*|`/g, ''),
      ),
    );
}

/** What a call does, in one line. */
export function callLine(name: string, input: JsonObject, folder: string | null): string {
  return cutLine(`${toolTitle(name)} ${shortInput(name, input, folder)}`.trim());
}

/** These lines after those, as far as there is room. */
export function withLines(
  before: readonly SaidLine[],
  by: SaidLine['by'],
  texts: readonly string[],
): readonly SaidLine[] {
  if (texts.length === 0) return before;
  return [...before, ...texts.map((text) => ({ by, text }))].slice(-MAX_LINES);
}

function cutLine(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)} …` : text;
}
