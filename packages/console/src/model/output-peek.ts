import type { CallItem } from './item.ts';
import { reportOf } from './report.ts';
import { lastLines } from './terminal-text.ts';

/** What is seen of a call's output before somebody opens it. */
export interface OutputPeek {
  lines: readonly string[];
  /** How many lines there are besides. */
  before: number;
  after: number;
}

/** Enough to know what came of it; of a failure a few more. */
const LINES = 3;
const LINES_OF_FAILURE = 8;

/** A line that has no end. */
const LONGEST_LINE = 300;

/** Their input is what they do, or what they found is a number: their output is for those who open them. */
const SILENT = new Set([
  'Read',
  'NotebookRead',
  'Grep',
  'Glob',
  'LS',
  'Edit',
  'MultiEdit',
  'Write',
  'NotebookEdit',
  'TodoWrite',
  'ExitPlanMode',
  'AskUserQuestion',
]);

/** The last lines of what a call printed, the first ones of what a sub-agent reports; undefined where there is nothing to see. */
export function outputPeek(call: CallItem): OutputPeek | undefined {
  const { result, state, name } = call;
  if (!result) return undefined;
  const isFailure = state === 'failed' || state === 'denied';
  if (SILENT.has(name) && !isFailure) return undefined;
  if (reportOf(call) !== undefined) return firstLines(reportOf(call) || lastWords(call));
  const { text } = result;
  if (text.trim() === '') return undefined;
  const { lines, before } = lastLines(text, isFailure ? LINES_OF_FAILURE : LINES);
  return { lines: lines.map(cut), before, after: 0 };
}

function firstLines(text: string): OutputPeek | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return { lines: lines.slice(0, LINES).map(cut), before: 0, after: Math.max(0, lines.length - LINES) };
}

function lastWords({ children }: CallItem): string {
  const last = children.findLast(({ kind }) => kind === 'text');
  return last?.kind === 'text' ? last.text : '';
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line;
}
