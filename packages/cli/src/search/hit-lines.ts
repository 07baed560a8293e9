import { styleText } from 'node:util';
import type { RouteAnswer } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { ageWords } from '../time-words.ts';

type Hit = RouteAnswer<'GET /api/search'>['items'][number];

/** A hit in two lines: its place and whose words they are, then the words; those that were found stand out. */
export function hitLines(hit: Hit, now: number, isColored: boolean): string {
  const place = `${shortId(hit.session)}#${hit.seq}`;
  const title = hit.title === null ? [] : [harmless(hit.title)];
  const words = hit.excerpt
    .map(({ text, isMatch }) => {
      const shown = harmless(text).replaceAll(/\s+/g, ' ');
      return isMatch && isColored ? styleText(['bold', 'yellow'], shown, { validateStream: false }) : shown;
    })
    .join('');
  return `${place}  ${[...title, sayer(hit), ageWords(now - hit.time)].join(' · ')}\n    ${words.trim()}\n`;
}

function sayer({ kind, tool, author }: Hit): string {
  if (kind !== 'said') return harmless(`${tool ?? 'a tool'}${kind === 'result' ? ' answered' : ''}`);
  return author.by === 'person' ? harmless(author.name) : author.by;
}
