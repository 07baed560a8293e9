import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;
const ASCII = /^[ -~]*$/;

/** What a reader takes for single characters, however many code points they have. */
export function graphemesOf(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  // Made on first use: its tables take longer to load than most commands run.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
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
