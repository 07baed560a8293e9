import { messageOf, parseJson } from '@signalbox/protocol';
import { StoreUnreadableError } from '../store-errors.ts';

/** What a column holds as JSON. Raises `STORE_UNREADABLE`: it was damaged, or written before there were limits. */
export function storedJson(text: string, what: string): ReturnType<typeof JSON.parse> {
  try {
    return parseJson(text);
  } catch (error) {
    throw new StoreUnreadableError(`${what} (${messageOf(error)})`);
  }
}
