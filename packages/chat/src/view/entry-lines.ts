import { cardLines } from '../cards/card-lines.ts';
import type { Entry, Tone } from '../session/entry.ts';
import { cleanText } from '../text/clean-text.ts';
import { bold, colored, dim, type Line, plain, type Span } from '../text/line.ts';
import { markdownLines } from '../text/markdown.ts';
import { hang, wrapLine } from '../text/wrap-line.ts';

const SHOWN_PROMPT_ROWS = 20;
const SHOWN_THOUGHT_ROWS = 4;

/**
 * An entry as it is drawn for good, with an empty row below it. When a terminal shrinks, a row above the live part may
 * be wiped; it must be one that nobody misses.
 */
export function entryLines(entry: Entry, width: number, cwd: string): Line[] {
  return [...bodyLines(entry, width, cwd), []];
}

function bodyLines(entry: Entry, width: number, cwd: string): Line[] {
  switch (entry.kind) {
    case 'opening':
      return openingLines(cleanText(entry.title), cleanText(entry.cwd), width);
    case 'prompt':
      return hang([bold('❯ ', 'cyan')], promptRows(entry.text, width - 2));
    case 'reply':
      return replyLines(entry.text, entry.isStart, width);
    case 'thought':
      return thoughtLines(entry.text, width);
    case 'card':
      return cardLines(entry.card, { width, cwd, spinner: '' });
    case 'note':
      return noteLines(entry.text, entry.tone, width);
    case 'stopped':
      return noteLines('Stopped. What should happen instead?', 'warning', width);
    case 'page':
      return entry.lines(width);
  }
}

/** A piece of a reply: its first row has the mark, all others stand under the text. */
export function replyLines(text: string, isStart: boolean, width: number): Line[] {
  return hang([plain(isStart ? '● ' : '  ')], markdownLines(text, Math.max(width - 2, 1)));
}

/** The beginning of a thought. */
export function thoughtLines(text: string, width: number): Line[] {
  const rows = thoughtRows(text, width - 2);
  const shown = rows.slice(0, SHOWN_THOUGHT_ROWS);
  if (rows.length > shown.length) shown.push([dim(`… ${rows.length - shown.length} more lines`)]);
  return hang([dim('∴ ')], shown);
}

/** The end of a thought that is still going on. */
export function liveThoughtLines(text: string, width: number): Line[] {
  return hang([dim('∴ ')], thoughtRows(text, width - 2).slice(-SHOWN_THOUGHT_ROWS));
}

function thoughtRows(text: string, width: number): Line[] {
  return cleanText(text)
    .trim()
    .split('\n')
    .flatMap((line) => wrapLine([{ text: line, dim: true, italic: true }], Math.max(width, 1)));
}

function promptRows(text: string, width: number): Line[] {
  const rows = cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([bold(line)], Math.max(width, 1)));
  if (rows.length <= SHOWN_PROMPT_ROWS) return rows;
  return [...rows.slice(0, SHOWN_PROMPT_ROWS), [dim(`… ${rows.length - SHOWN_PROMPT_ROWS} more lines`)]];
}

function openingLines(title: string, cwd: string, width: number): Line[] {
  return [
    ...wrapLine([bold(title, 'cyan'), dim(`  ${cwd}`)], width),
    ...wrapLine([dim('/help tells the keys, / lists commands, @ names files, Ctrl-C twice leaves')], width),
  ];
}

function noteLines(text: string, tone: Tone, width: number): Line[] {
  const paint = (line: string): Span =>
    tone === 'quiet' ? dim(line) : colored(line, tone === 'error' ? 'red' : 'yellow');
  const rows = cleanText(text)
    .trim()
    .split('\n')
    .flatMap((line) => wrapLine([paint(line)], Math.max(width - 2, 1)));
  return hang([paint(tone === 'error' ? '✗ ' : '· ')], rows);
}
