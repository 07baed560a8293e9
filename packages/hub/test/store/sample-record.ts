import type { Author } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Append, Appended, Entry } from '../../src/store/record.ts';
import type { Store } from '../../src/store/store.ts';

export const AGENT: Author = { by: 'agent' };
export const ANN: Author = { by: 'person', name: 'Ann', device: 'phone' };

/** A session of its own for a test. */
export async function newSession(store: Store): Promise<string> {
  const { id } = await store.sessions.create(crypto.randomUUID());
  return id;
}

/** Commit lines, and nothing else. */
export async function append(store: Store, appends: readonly Append[]): Promise<Appended[]> {
  return (await store.commit({ appends })).appended;
}

/** What an agent might write as line `number`. */
export function sampleLine(number: number, padding = 0): string {
  return JSON.stringify({
    type: 'assistant',
    text: `entry-${number}.${'x'.repeat(padding)}`,
    uuid: `uuid-${number}`,
  });
}

/** The lines from `first` to `last`, numbered as on a link. */
export function sampleAppend(session: string, first: number, last: number, padding = 0): Append {
  const lines = Array.from({ length: last - first + 1 }, (_, index) => ({
    bytes: Buffer.from(sampleLine(first + index, padding)),
    number: first + index,
  }));
  return { session, author: AGENT, lines };
}

/** The same, with how far the link has got. */
export function linkedAppend(session: string, epoch: string, first: number, last: number): Append {
  const position: LinkPosition = { epoch, count: last };
  return { ...sampleAppend(session, first, last), position };
}

/** What an entry says; `damaged` for one that says nothing any more. */
export function textOf(entry: Entry | undefined): string | undefined {
  return entry?.kind === 'line' ? entry.line.text() : entry?.kind;
}

/** The texts of all entries of a session. */
export async function wholeRecord(store: Store, session: string): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  for (;;) {
    const { entries, last } = await store.record.window(session, texts.length + 1);
    for (const entry of entries) texts.push(textOf(entry));
    if (texts.length >= last) return texts;
  }
}

/** The texts of the sample lines from `first` to `last`. */
export function sampleTexts(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => sampleLine(first + index));
}
