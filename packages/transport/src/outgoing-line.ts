import { SignalboxError } from '@signalbox/protocol';
import { LineBreakError } from './transport-errors.ts';

/** A line on its way out: text is cheaper to gather, bytes are cheaper to pass on. */
export type OutgoingLine = string | Uint8Array;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const LINE_END = Buffer.from('\n');

/** A line to be sent is empty or white space, which every reader skips: it would vanish on its way. */
export class BlankLineError extends SignalboxError {
  constructor() {
    super('LINE_IS_BLANK', 'A line to be sent must hold a message; readers skip blank lines.');
  }
}

/** Why a line would not arrive as the one line it is; undefined when it would. */
export function flawOf(line: OutgoingLine): SignalboxError | undefined {
  if (isBlank(line)) return new BlankLineError();
  const isBroken = typeof line === 'string' ? line.includes('\n') : line.includes(NEWLINE);
  // A reader takes a last carriage return for a part of the line end.
  return isBroken || codeAt(line, line.length - 1) === CARRIAGE_RETURN ? new LineBreakError() : undefined;
}

/** What a line weighs in a queue. Exact for bytes and ASCII; other text is up to three times as long in bytes. */
export function weigh(line: OutgoingLine): number {
  return line.length + 1;
}

/** Many lines as one write: every line with its line end. */
export function joinLines(lines: readonly OutgoingLine[]): string | Buffer {
  if (lines.every((line) => typeof line === 'string')) return `${lines.join('\n')}\n`;
  const parts: Uint8Array[] = [];
  for (const line of lines) parts.push(typeof line === 'string' ? Buffer.from(line) : line, LINE_END);
  return Buffer.concat(parts);
}

function isBlank(line: OutgoingLine): boolean {
  for (let at = 0; at < line.length; at += 1) if (codeAt(line, at) > SPACE) return false;
  return true;
}

function codeAt(line: OutgoingLine, at: number): number {
  return typeof line === 'string' ? line.charCodeAt(at) : (line[at] ?? 0);
}
