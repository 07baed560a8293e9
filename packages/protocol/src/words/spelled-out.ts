const TAB = '    ';

// Direction marks reorder what is read without changing what is run.
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Text that someone has to judge: what cannot be seen is spelled out instead of left out. */
export function spelledOut(text: string): string {
  const spell = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', TAB)
    .replace(CONTROL, spell)
    .replace(INVISIBLE, spell);
}
