import { parseJson } from '@signalbox/protocol';

/** A longer answer is shown as it came. */
const MAX_LENGTH = 20_000;

/** An object or a list in JSON, indented for reading; undefined for anything else. */
export function indentedJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH || !/^[[{]/.test(trimmed)) return undefined;
  try {
    return JSON.stringify(parseJson(trimmed), null, 2);
  } catch {
    return undefined;
  }
}
