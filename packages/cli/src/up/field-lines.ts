import { wrapWords } from '../wrap-words.ts';

/** The column where what a field says begins. */
const SAYS_AT = 13;
const DEEPER = ' '.repeat(4);

/** A word of a shell with its quotes: a line is not broken within one. */
const SHELL_WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

/** A command in a line of its own; where it does not fit it goes on in the next line, as a shell reads it. */
export function commandField(label: string, command: string, room: number): string {
  if (SAYS_AT + command.length <= room) return inLine(label, command);
  const lines: string[] = [];
  for (const word of command.match(SHELL_WORD) ?? []) {
    const last = lines.at(-1);
    const isFull = last === undefined || `${DEEPER}${last} ${word} \\`.length > room;
    if (isFull) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return `  ${label}\n${DEEPER}${lines.join(` \\\n${DEEPER}`)}\n`;
}

/** A link; where it does not fit it has a line from the left edge on, which terminals copy and open as one. */
export function linkField(label: string, link: string, room: number): string {
  return SAYS_AT + link.length <= room ? inLine(label, link) : `  ${label}\n${link}\n`;
}

/** What is to be known of the field above. */
export function fieldNote(text: string, room: number): string {
  return SAYS_AT + text.length <= room ? inLine('', text) : `  ${wrapWords(text, room - 2, 2)}\n`;
}

function inLine(label: string, value: string): string {
  return `  ${label.padEnd(SAYS_AT - 2)}${value}\n`;
}
