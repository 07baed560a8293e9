import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

/**
 * Each of these is a character of its own in one column: Latin, Greek and Cyrillic letters, punctuation, arrows and lines. Followed by anything
 * else, such as a mark or a selector, they may be part of something wider.
 */
const NARROW =
  /^[ -~\u00A0-\u00AC\u00AE-\u02FF\u0370-\u0377\u037A-\u037F\u0384-\u03FF\u0400-\u0482\u048A-\u052F\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u257F\u2713\u2717]*$/;

/** What a reader takes for single characters, however many code points they have. */
export function graphemesOf(text: string): string[] {
  if (NARROW.test(text)) return text.split('');
  // Made on first use: its tables take longer to load than most commands run.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** As much of the beginning of a text as has room in so many columns. */
export function headOf(text: string, width: number): string {
  let head = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += widthOf(grapheme);
    if (used > width) break;
    head += grapheme;
  }
  return head;
}
