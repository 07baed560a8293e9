// Direction marks reorder what is read.
const DANGEROUS = /(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What an agent or a hub says may hold sequences that would move the cursor, set the title or write to the clipboard. */
export function harmless(text: string): string {
  return text.replaceAll(DANGEROUS, '');
}
