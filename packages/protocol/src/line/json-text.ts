import { utf8 } from './utf8.ts';

/** Node's `Buffer` turns short runs of bytes into text three times faster than `TextDecoder` does. */
type FastBytes = Uint8Array & { utf8Slice?: (start: number, end: number) => string };

/** The text of a JSON string, given where it starts and ends between its quotes. */
export function jsonText(bytes: FastBytes, start: number, end: number): string {
  const raw = bytes.utf8Slice ? bytes.utf8Slice(start, end) : utf8.decode(bytes.subarray(start, end));
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    // An escape that JSON does not know: the line as a whole will not parse either.
    return raw;
  }
}
