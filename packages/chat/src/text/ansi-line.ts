import { cleanText } from './clean-text.ts';
import type { Line, Span, Style } from './line.ts';

// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const SGR = /\x1b\[([\d;:]*)m/;

type Flag = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'strike';

const SWITCHES: Readonly<Record<number, Partial<Record<Flag, boolean>>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
};

/** One line of a program's output in its colours. Every other escape sequence is removed. */
export function ansiLine(text: string): Line {
  const spans: Span[] = [];
  let style: Style = {};
  // Every second piece is what a sequence says.
  for (const [at, piece] of text.split(SGR).entries()) {
    if (at % 2 === 1) style = restyled(style, piece);
    else if (cleanText(piece) !== '') spans.push({ ...style, text: cleanText(piece) });
  }
  return spans;
}

function restyled(before: Style, parameters: string): Style {
  // Colours in the newer form have an empty place for their colour space: `38:2::255:0:0`.
  const codes = parameters.replaceAll('::', ':').split(/[;:]/).map(Number);
  let style = before;
  for (let code = codes.shift(); code !== undefined; code = codes.shift())
    style = isLongColor(code) ? withColor(style, code, longColor(code, codes)) : withCode(style, code);
  return style;
}

/** The colours of text, background and underline that are spelled out in the codes that follow. */
function isLongColor(code: number): boolean {
  return code === 38 || code === 48 || code === 58;
}

/** Takes the codes that belong to a colour; undefined for what is none. */
function longColor(code: number, codes: number[]): string | undefined {
  const kind = codes.shift();
  const values = codes.splice(0, kind === 5 ? 1 : kind === 2 ? 3 : 0);
  const isWhole = values.length === (kind === 5 ? 1 : 3) && values.every((value) => value <= 255);
  return isWhole ? [code, kind, ...values].join(';') : undefined;
}

function withColor(style: Style, code: number, color: string | undefined): Style {
  const { foreground, background, ...uncolored } = style;
  if (code === 58) return style;
  const front = code === 38 ? color : foreground;
  const back = code === 48 ? color : background;
  return {
    ...uncolored,
    ...(front === undefined ? {} : { foreground: front }),
    ...(back === undefined ? {} : { background: back }),
  };
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 39 || code === 49) return withColor(style, code - 1, undefined);
  const isBright = code >= 90;
  const color = isBright ? code - 60 : code;
  if (color >= 30 && color <= 37) return { ...style, foreground: String(code) };
  if (color >= 40 && color <= 47) return { ...style, background: String(code) };
  return { ...style, ...SWITCHES[code] };
}
