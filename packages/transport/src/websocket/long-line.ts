const NEWLINE = 0x0a;

/** Where the first line of a frame begins that is longer than this; -1 when none is. */
export function startOfLongLine(frame: Uint8Array, maxLineBytes: number): number {
  let start = 0;
  while (frame.length - start > maxLineBytes) {
    const newline = frame.indexOf(NEWLINE, start);
    const end = newline === -1 ? frame.length : newline;
    if (end - start > maxLineBytes) return start;
    start = end + 1;
  }
  return -1;
}
