import { stripVTControlCharacters } from 'node:util';

const TAB = '    ';

// Direction marks reorder what is read without changing what is run.
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Text of a model or a tool that may be shown: it can neither move the cursor nor colour what is not its own. */
export function cleanText(text: string): string {
  return overwritten(stripVTControlCharacters(text).replaceAll('\r\n', '\n'))
    .replaceAll('\t', TAB)
    .replace(CONTROL, '')
    .replace(INVISIBLE, '');
}

/** What is left of each line when a carriage return begins it anew. An expression would take the square of a long line. */
function overwritten(text: string): string {
  if (!text.includes('\r')) return text;
  // One that ends the text has nothing after it yet.
  return text
    .replace(/\r$/, '')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}
