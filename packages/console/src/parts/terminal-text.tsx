import type { CSSProperties } from 'react';
import { type TextPiece, terminalText } from '../model/terminal-text.ts';

/** Output of a program, in the colours that it chose. */
export function TerminalText({ text }: { text: string }) {
  const pieces = terminalText(text);
  return (
    <>
      {pieces.map((piece, index) =>
        isPlain(piece) ? (
          piece.text
        ) : (
          <span key={index} className={classesOf(piece)} style={styleOf(piece)}>
            {piece.text}
          </span>
        ),
      )}
    </>
  );
}

function isPlain({ color, ground, marks }: TextPiece): boolean {
  return color === undefined && ground === undefined && marks.length === 0;
}

function classesOf({ color, ground, marks }: TextPiece): string {
  return [
    isNamed(color) ? `ansi-${color}` : '',
    isNamed(ground) ? `ansi-on-${ground}` : '',
    ...marks.map((mark) => `ansi-${mark}`),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Set by script, which the page's policy allows; what is set are numbers. */
function styleOf({ color, ground }: TextPiece): CSSProperties {
  return {
    ...(color !== undefined && !isNamed(color) ? { color } : {}),
    ...(ground !== undefined && !isNamed(ground) ? { backgroundColor: ground } : {}),
  };
}

function isNamed(color: string | undefined): boolean {
  return color !== undefined && !color.startsWith('rgb');
}
