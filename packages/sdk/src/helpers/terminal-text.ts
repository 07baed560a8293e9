import { stripVTControlCharacters } from 'node:util';

/** Colours for a terminal, by what they are used for. */
const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Paint = (colour: keyof typeof COLOURS, text: string) => string;

/** Paints, or leaves text as it is. */
export function painter(isColoured: boolean): Paint {
  return (colour, text) => (isColoured ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text);
}

/** Whether a stream is a terminal whose user has nothing against colours. */
export function takesColour(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'];
}

/** What an agent says may hold sequences that would move the cursor, set the title or write to the clipboard. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}

/** The beginning of a text on one line. */
export function firstLine(text: string, width: number): string {
  const line = harmless(text).trim().replaceAll(/\s+/g, ' ');
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}
