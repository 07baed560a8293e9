import { listAt, numberAt } from '@signalbox/protocol';
import { cleanText } from '../text/clean-text.ts';
import { colored, dim, type Line } from '../text/line.ts';
import { hang, wrapLine } from '../text/wrap-line.ts';

/** The changed places of a file, from a tool's `structuredPatch`: with line numbers, removed red and added green. */
export function patchLines(structuredPatch: readonly unknown[], width: number): Line[] {
  return structuredPatch.flatMap((hunk, index) => [
    ...(index > 0 ? [[dim('⋮')]] : []),
    ...hunkLines(hunk, width),
  ]);
}

/** How many lines a patch adds and removes. */
export function patchCounts(structuredPatch: readonly unknown[]): { added: number; removed: number } {
  const signs = structuredPatch.flatMap((hunk) => listAt(hunk, 'lines')).map((line) => String(line)[0]);
  return {
    added: signs.filter((sign) => sign === '+').length,
    removed: signs.filter((sign) => sign === '-').length,
  };
}

/** A change that is only proposed: what would go, then what would come. */
export function proposedLines(removed: string, added: string, width: number): Line[] {
  return [...signed('-', removed, width), ...signed('+', added, width)];
}

function signed(sign: '+' | '-', text: string, width: number): Line[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => {
      const color = sign === '+' ? 'green' : 'red';
      return hang([colored(`${sign} `, color)], wrapLine([colored(line, color)], Math.max(width - 2, 1)));
    });
}

function hunkLines(hunk: unknown, width: number): Line[] {
  let oldNumber = numberAt(hunk, 'oldStart') ?? 1;
  let newNumber = numberAt(hunk, 'newStart') ?? 1;
  const lines = listAt(hunk, 'lines').map((line) => cleanText(String(line)));
  const digits = String(Math.max(oldNumber, newNumber) + lines.length).length;
  return lines.flatMap((line) => {
    const sign = line[0];
    if (sign === '\\') return [];
    const number = String(sign === '-' ? oldNumber : newNumber).padStart(digits);
    if (sign !== '+') oldNumber++;
    if (sign !== '-') newNumber++;
    const text = `${sign ?? ' '} ${line.slice(1)}`;
    const body = sign === '+' ? colored(text, 'green') : sign === '-' ? colored(text, 'red') : dim(text);
    return wrapLine([body], width - digits - 1).map((row, at) => [
      dim(at === 0 ? `${number} ` : ' '.repeat(digits + 1)),
      ...row,
    ]);
  });
}
