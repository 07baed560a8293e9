/** The colours of a terminal's own palette: they follow the person's theme. */
export type Color = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** How a piece of text looks. */
export interface Style {
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
  color?: Color;
  /** Colours of any kind, as parameters of SGR: `38;5;208`, `44`. */
  foreground?: string;
  background?: string;
}

/** A piece of text in one style. Its text holds no line feed and no control character. */
export interface Span extends Style {
  text: string;
}

/** One row of the terminal, or one that is still to be wrapped into rows. */
export type Line = readonly Span[];

export function plain(text: string): Span {
  return { text };
}

export function bold(text: string, color?: Color): Span {
  return color ? { text, bold: true, color } : { text, bold: true };
}

export function dim(text: string): Span {
  return { text, dim: true };
}

export function colored(text: string, color: Color): Span {
  return { text, color };
}

/** Every span of `line`, with `style` on top of its own. */
export function restyle(line: Line, style: Style): Line {
  return line.map((span) => ({ ...span, ...style }));
}

/** What is read when styles are ignored. */
export function textOf(line: Line): string {
  return line.map(({ text }) => text).join('');
}

const COLOR_CODE: Record<Color, number> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};

/** The line as a terminal wants it. Without colour, weight and inversion stay: they carry meaning of their own. */
export function encodeLine(line: Line, hasColor: boolean): string {
  return line.map((span) => encodeSpan(span, hasColor)).join('');
}

function encodeSpan({ text, ...style }: Span, hasColor: boolean): string {
  const codes = [
    style.bold && 1,
    style.dim && 2,
    style.italic && 3,
    style.underline && 4,
    style.inverse && 7,
    style.strike && 9,
    hasColor && style.color && COLOR_CODE[style.color],
    hasColor && style.foreground,
    hasColor && style.background,
  ].filter(Boolean);
  return codes.length === 0 || text === '' ? text : `\x1b[${codes.join(';')}m${text}\x1b[0m`;
}
