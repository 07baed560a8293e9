import { type JsonObject, numberAt, textAt } from '@signalbox/protocol';
import type { Entry } from '../store/record.ts';

/** Where in a record its conversation went on in another view. */
export type ViewMark =
  /** `after` is the last message that the transcript had then. */
  | { view: 'terminal'; terminal: number; conversation: string; after: string | null }
  /** `resume` is the conversation to go on with, if there is one; `problem` why not all that was said there is here. */
  | { view: 'sdk'; terminal: number; resume: string | null; problem?: string };

/** The mark that an entry is, and when it was made. An agent cannot make one. */
export function viewIn(entry: Entry): (ViewMark & { time: number }) | undefined {
  if (entry.kind === 'damaged' || entry.author.by === 'agent') return undefined;
  const { type, subtype } = entry.line.head();
  if (type !== 'hub' || subtype !== 'view') return undefined;
  const message = entry.line.json();
  const { time } = entry;
  const terminal = numberAt(message, 'terminal') ?? 0;
  if (textAt(message, 'view') === 'sdk')
    return { view: 'sdk', terminal, resume: textAt(message, 'resume') || null, time };
  const after = textAt(message, 'after') || null;
  return { view: 'terminal', terminal, conversation: textAt(message, 'conversation'), after, time };
}

/** The line that makes a mark. */
export function markLine(mark: ViewMark): JsonObject {
  return { subtype: 'view', ...mark };
}
