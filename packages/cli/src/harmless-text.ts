/** What an agent says may hold sequences that would move the cursor, set the title or write to the clipboard. */
export function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}
