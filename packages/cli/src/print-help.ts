import { roomOf, wrapWords } from './wrap-words.ts';

/** An option or a command, with the room before what is said of it. */
const ENTRY = /^ +\S.*? {2,}(?=\S)/;

/** With less beside an option, what is said of it is below. */
const LEAST_ROOM = 24;
const INDENT = 6;

/** Who takes help in place of the terminal. */
let listener: ((text: string) => void) | undefined;

/** What a command's `--help` tells, as it is written. */
export async function helpOf(command: () => Promise<unknown>): Promise<string> {
  let help = '';
  listener = (text) => {
    help += text;
  };
  try {
    await command();
  } finally {
    listener = undefined;
  }
  return help;
}

/** Print what a command's `--help` tells, as wide as the terminal is. */
export function printHelp(text: string): void {
  if (listener) return listener(text);
  process.stdout.write(fittedHelp(text, roomOf(process.stdout)));
}

/** Help in lines of this width: paragraphs are filled, and what is said of an option stays in its column. */
export function fittedHelp(text: string, width: number): string {
  const lines = text.split('\n');
  if (lines.every((line) => line.length <= width)) return text;
  return lines
    .reduce<string[]>((kept, line) => {
      const before = kept.at(-1) ?? '';
      if (isProse(before) && isProse(line)) kept[kept.length - 1] = `${before} ${line}`;
      else kept.push(line);
      return kept;
    }, [])
    .map((line) => {
      const head = ENTRY.exec(line)?.[0] ?? /^ */.exec(line)?.[0] ?? '';
      const said = line.slice(head.length);
      const room = width - head.length;
      if (room >= LEAST_ROOM || said === '') return head + wrapWords(said, room, head.length);
      const below = `${' '.repeat(INDENT)}${wrapWords(said, width - INDENT, INDENT)}`;
      return head.trim() === '' ? below : `${head.trimEnd()}\n${below}`;
    })
    .join('\n');
}

function isProse(line: string): boolean {
  return line !== '' && !line.startsWith(' ');
}
