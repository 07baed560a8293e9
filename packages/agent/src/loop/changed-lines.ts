import { isJsonObject, listAt } from '@signalbox/protocol';
import type { Accounting } from './accounting.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Count the lines that a tool has added to files and removed from them, as far as it tells. */
export function countLines(accounting: Accounting, { structured, isError }: ToolOutcome): void {
  if (isError || !isJsonObject(structured)) return;
  if (structured.type === 'create' && typeof structured.content === 'string') {
    accounting.linesAdded += structured.content.replace(/\n$/, '').split('\n').length;
    return;
  }
  const lines = listAt(structured, 'structuredPatch').flatMap((hunk) => listAt(hunk, 'lines'));
  const count = (sign: string): number =>
    lines.filter((line) => typeof line === 'string' && line.startsWith(sign)).length;
  accounting.linesAdded += count('+');
  accounting.linesRemoved += count('-');
}
