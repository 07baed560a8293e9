/** The beginning of a text. A character of two halves is not split: the API takes no half ones. */
export function headOf(text: string, maxChars: number): string {
  const head = text.slice(0, maxChars);
  return isHalf(head.at(-1), 0xd800) ? head.slice(0, -1) : head;
}

/** The end of a text, from a whole character on. */
export function tailOf(text: string, maxChars: number): string {
  const tail = text.slice(-maxChars);
  return isHalf(tail.at(0), 0xdc00) ? tail.slice(1) : tail;
}

function isHalf(letter: string | undefined, range: 0xd800 | 0xdc00): boolean {
  return letter !== undefined && (letter.charCodeAt(0) & 0xfc00) === range;
}
