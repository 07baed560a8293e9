import { isJsonObject, listAt, numberAt, objectAt, textAt } from '@signalbox/protocol';
import { number } from '../words/format.ts';
import { t } from '../words/t.ts';
import { duration } from './duration.ts';
import { pagesIn } from './found-pages.ts';
import type { CallItem } from './item.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

/** What is quicker needs no clock. */
const SLOW_MS = 1000;

/** What came of a call and how long it took, in words that say more than that it is done; empty where there is nothing more to say. */
export function outcomeOf(call: CallItem): string {
  const { state, startedAt, endedAt } = call;
  if (state !== 'done' && state !== 'failed') return '';
  const took = startedAt === undefined || endedAt === undefined ? 0 : endedAt - startedAt;
  const words = state === 'failed' ? t.model.failed : whatCameOf(call);
  return [words, took < SLOW_MS || call.decidedBy !== undefined ? '' : duration(took)]
    .filter(Boolean)
    .join(' · ');
}

function whatCameOf(call: CallItem): string {
  const { result, input, name } = call;
  const structured = result?.structured;
  switch (name) {
    case 'Read': {
      const file = objectAt(structured, 'file');
      const lines = numberAt(file, 'numLines');
      return lines === undefined ? '' : many(lines, 'line');
    }
    case 'Glob':
    case 'Grep':
      return found(structured);
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'NotebookEdit':
      return changes(changedLines(call));
    case 'TodoWrite': {
      const todos = listAt(input, 'todos');
      const done = todos.filter((todo) => textAt(todo, 'status') === 'completed').length;
      return t.model.doneOf(done, todos.length);
    }
    case 'Task':
    case 'Agent': {
      const calls =
        numberAt(structured, 'totalToolUseCount') ??
        call.children.filter(({ kind }) => kind === 'call').length;
      return calls === 0 ? '' : many(calls, 'call');
    }
    case 'WebSearch': {
      const pages = pagesIn(call).length;
      return pages === 0 ? '' : many(pages, 'page');
    }
    default:
      return '';
  }
}

/** The lines that a call changed: as the agent told them, else as it was asked to. */
export function changedLines({ name, input, result }: CallItem): DiffLine[] {
  const told = listAt(result?.structured, 'structuredPatch')
    .flatMap((hunk) => listAt(hunk, 'lines'))
    .map((line) => patchLine(String(line)));
  if (told.length > 0) return told;
  switch (name) {
    case 'Write':
      return diffLines('', textAt(input, 'content'));
    case 'NotebookEdit':
      return textAt(input, 'edit_mode') === 'delete' ? [] : diffLines('', textAt(input, 'new_source'));
    case 'MultiEdit':
      return listAt(input, 'edits').flatMap((edit) =>
        diffLines(textAt(edit, 'old_string'), textAt(edit, 'new_string')),
      );
    default:
      return diffLines(textAt(input, 'old_string'), textAt(input, 'new_string'));
  }
}

/** What was answered to the questions of a call, by the question. */
export function answersOf({ result }: CallItem): readonly (readonly [question: string, answer: string])[] {
  const answers = objectAt(result?.structured, 'answers');
  return Object.entries(answers).map(([question, answer]) => [
    question,
    Array.isArray(answer) ? answer.join(', ') : String(answer),
  ]);
}

function found(structured: unknown): string {
  if (!isJsonObject(structured)) return '';
  const matches = numberAt(structured, 'numMatches') ?? numberAt(structured, 'numLines');
  if (matches !== undefined) return many(matches, 'match');
  const files = numberAt(structured, 'numFiles');
  return files === undefined ? '' : many(files, 'file');
}

function changes(lines: readonly DiffLine[]): string {
  const count = (wanted: DiffLine['sign']): number => lines.filter(({ sign }) => sign === wanted).length;
  const [added, removed] = [count('+'), count('-')];
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ');
}

function many(count: number, what: keyof typeof t.model.counts): string {
  return t.model.counts[what](count, number(count));
}

function patchLine(line: string): DiffLine {
  const [sign = ' '] = line;
  return { sign: sign === '+' || sign === '-' ? sign : ' ', text: line.slice(1) };
}
