/** How many marks in a row belong to one character of any language (UAX #15, Stream-Safe Text). */
const MOST = 30;

/** What shapes the character before it: accents, shades of emoji, tags of flags. */
const MARK = '[\\p{M}\\p{Emoji_Modifier}\\u{E0000}-\\u{E007F}]';

const LONG_RUN = new RegExp(`(${MARK}{${MOST}})${MARK}+`, 'gu');

/**
 * A text as the page may draw it. Browsers lay out a character with its marks as one, which takes them more than the square of how
 * many there are: a few kilobytes in one reply would hang the page, at each visit.
 */
export function shownText(text: string): string {
  return text.length > MOST ? text.replace(LONG_RUN, '$1\ufffd') : text;
}
