import { listAt, textAt } from '@signalbox/protocol';
import type { CallItem } from './item.ts';

/** A file that was found, with the lines of it that were. */
export interface FoundFile {
  path: string;
  lines: readonly { number: string; text: string }[];
}

/** How much is looked at: what is longer is for the agent. */
const MAX_LINES = 500;

const LINE = /^(.+?)[:-](\d+)[:-](.*)$/;

/** What a search found, by file; empty where it does not say so in a form that we know. */
export function foundIn({ result }: CallItem): readonly FoundFile[] {
  const names = listAt(result?.structured, 'filenames').filter((name) => typeof name === 'string');
  if (names.length > 0) return names.map((path) => ({ path, lines: [] }));
  const found = new Map<string, { number: string; text: string }[]>();
  for (const line of textAt(result?.structured, 'content').split('\n').slice(0, MAX_LINES)) {
    const [, path, number, text] = LINE.exec(line) ?? [];
    if (path === undefined || number === undefined || text === undefined) continue;
    found.set(path, [...(found.get(path) ?? []), { number, text }]);
  }
  return [...found].map(([path, lines]) => ({ path, lines }));
}
