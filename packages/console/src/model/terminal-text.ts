import Anser from 'anser';

/** A piece of output in one look. Colours are `red`, `bright-red` and so on, or `rgb(1, 2, 3)`. */
export interface TextPiece {
  text: string;
  color: string | undefined;
  ground: string | undefined;
  marks: readonly string[];
}

/** More pieces than this are one without colours: a page that draws each does not answer any more. */
const MAX_PIECES = 2000;

/** What a terminal would not show: sequences other than colours, and what is told to the terminal itself. */
const COMMANDS =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[[0-9;?]*[A-LN-Za-ln-z]|\x1b[()][0-9A-B]|\x1b[=>78]/g;

const ESCAPE = '\x1b';
const RESET = '\x1b[0m';

/** Output of a program as a terminal shows it: colours, and lines that were written over. */
export function terminalText(output: string): readonly TextPiece[] {
  const text = writtenOver(output.replace(COMMANDS, ''));
  if (!text.includes(ESCAPE)) return [plain(text)];
  const pieces = Anser.ansiToJson(text, { json: true, remove_empty: true, use_classes: true });
  if (pieces.length > MAX_PIECES) return [plain(plainOutput(text))];
  return pieces.map(({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }) => ({
    text: content,
    color: colorOf(fg, fg_truecolor),
    ground: colorOf(bg, bg_truecolor),
    marks: decorations,
  }));
}

/** Output without its colours. */
export function plainOutput(output: string): string {
  const text = writtenOver(output.replace(COMMANDS, ''));
  return text.includes(ESCAPE) ? Anser.ansiToText(text, { remove_empty: true }) : text;
}

/** The last lines that say something, and how many are before them. */
export function lastLines(output: string, count: number): { lines: readonly string[]; before: number } {
  const all = output
    .replace(/\s+$/, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .split('\n');
  return { lines: all.slice(-count), before: Math.max(0, all.length - count) };
}

/** A carriage return begins a line anew: of a progress bar the last state is left. */
function writtenOver(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      const last = line.replace(/\r+$/, '');
      const at = last.lastIndexOf('\r');
      return at < 0 ? last : RESET.repeat(Number(last.includes(ESCAPE))) + last.slice(at + 1);
    })
    .join('\n');
}

function plain(text: string): TextPiece {
  return { text, color: undefined, ground: undefined, marks: [] };
}

function colorOf(name: string | null, trueColor: string | null): string | undefined {
  if (!name) return undefined;
  if (name === 'ansi-truecolor') return trueColor ? `rgb(${trueColor})` : undefined;
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  return palette === undefined ? name.slice('ansi-'.length) : paletteColor(Number(palette));
}

/** Beyond the sixteen named ones: a cube of six steps each, then greys. */
function paletteColor(index: number): string {
  const grey = (index - 232) * 10 + 8;
  if (index >= 232) return `rgb(${grey}, ${grey}, ${grey})`;
  const step = (value: number): number => (value === 0 ? 0 : value * 40 + 55);
  const at = index - 16;
  return `rgb(${step(Math.floor(at / 36))}, ${step(Math.floor(at / 6) % 6)}, ${step(at % 6)})`;
}
