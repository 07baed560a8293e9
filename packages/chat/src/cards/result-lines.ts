import { isJsonObject, listAt, numberAt, shownPath, textAt, UNEXPLAINED } from '@signalbox/protocol';
import { cleanText } from '../text/clean-text.ts';
import { colored, dim, type Line, plain } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { patchCounts, patchLines } from './diff-lines.ts';
import type { ToolCard } from './tool-card.ts';

/** How much of a result is shown; the agent has all of it. */
const SHOWN = { output: 5, failure: 8, diff: 30 };

/** What a finished call came to, in few rows. */
export function resultLines(card: ToolCard, width: number, cwd: string): Line[] {
  if (card.state === 'failed') return failureLines(card.text, width);
  const { structured } = card;
  const patch = listAt(structured, 'structuredPatch');
  if (patch.length > 0) {
    const { added, removed } = patchCounts(patch);
    return [[dim(changed(added, removed))], ...firstOf(patchLines(patch, width), SHOWN.diff)];
  }
  switch (card.name) {
    case 'Write':
      return [
        [dim(`${counted(linesIn(textAt(card.input, 'content')).length, 'line')} written`)],
        ...firstOf(outputRows(textAt(card.input, 'content'), width), SHOWN.output),
      ];
    case 'Read':
      return [[dim(readSummary(card))]];
    case 'Glob':
    case 'Grep':
      return foundLines(card, width, cwd);
    case 'TodoWrite':
      return todoLines(card, width);
    case 'AskUserQuestion':
      return answerLines(structured, width);
    case 'ExitPlanMode':
      return [[colored('The plan is approved.', 'green')]];
    default:
      return outputLines(card.text, width);
  }
}

/** Points of a list of work, as boxes. */
export function todoLines({ input, structured }: ToolCard, width: number): Line[] {
  const told = listAt(structured, 'newTodos');
  return (told.length > 0 ? told : listAt(input, 'todos')).flatMap((todo) => {
    const status = textAt(todo, 'status');
    const text = cleanText(textAt(todo, 'content')).replaceAll('\n', ' ');
    if (status === 'completed')
      return wrapLine([colored('☑ ', 'green'), { text, dim: true, strike: true }], width);
    if (status === 'in_progress') return wrapLine([colored('◐ ', 'yellow'), { text, bold: true }], width);
    return wrapLine([plain(`☐ ${text}`)], width);
  });
}

function failureLines(text: string, width: number): Line[] {
  const said = text.replace(/<\/?tool_use_error>/g, '');
  const rows = linesIn(said).flatMap((line) => wrapLine([colored(line, 'red')], width));
  return firstOf(rows.length > 0 ? rows : [[colored(UNEXPLAINED, 'red')]], SHOWN.failure);
}

function outputLines(text: string, width: number): Line[] {
  const rows = outputRows(text, width);
  return rows.length === 0 ? [[dim('(no output)')]] : firstOf(rows, SHOWN.output);
}

function outputRows(text: string, width: number): Line[] {
  return linesIn(text).flatMap((line) => wrapLine([dim(line)], width));
}

function readSummary({ text, structured }: ToolCard): string {
  const file = isJsonObject(structured) ? structured.file : undefined;
  const lines = numberAt(file, 'numLines');
  const total = numberAt(file, 'totalLines');
  if (textAt(structured, 'type') === 'image') return 'an image';
  if (lines === undefined) return counted(linesIn(text).length, 'line');
  return total !== undefined && total > lines
    ? `${lines} of ${counted(total, 'line')}`
    : counted(lines, 'line');
}

function foundLines({ text, structured }: ToolCard, width: number, cwd: string): Line[] {
  const files = listAt(structured, 'filenames').map(String);
  if (files.length === 0) return outputLines(text, width);
  const rows = files.flatMap((file) => wrapLine([dim(shownPath(cleanText(file), cwd))], width));
  return [
    [dim(counted(numberAt(structured, 'numFiles') ?? files.length, 'file'))],
    ...firstOf(rows, SHOWN.output),
  ];
}

function answerLines(structured: unknown, width: number): Line[] {
  const answers = isJsonObject(structured) && isJsonObject(structured.answers) ? structured.answers : {};
  return Object.entries(answers).flatMap(([question, answer]) =>
    wrapLine([dim(`${cleanText(question)} `), plain(cleanText(String(answer)))], width),
  );
}

function firstOf(rows: readonly Line[], shown: number): Line[] {
  // One row more costs no more than saying that there is one.
  if (rows.length <= shown + 1) return [...rows];
  return [...rows.slice(0, shown), [dim(`… ${rows.length - shown} more lines`)]];
}

function changed(added: number, removed: number): string {
  const parts = [added > 0 && `${counted(added, 'line')} added`, removed > 0 && `${removed} removed`];
  return parts.filter(Boolean).join(', ') || 'nothing changed';
}

function linesIn(text: string): string[] {
  const lines = cleanText(text).replace(/\n+$/, '');
  return lines === '' ? [] : lines.split('\n');
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
