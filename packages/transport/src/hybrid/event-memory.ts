import { LIMITS, LineHead, type WireLine } from '@signalbox/protocol';
import { memberOf } from './json-parts.ts';

/** How many of the last events are known again when they come twice: never less than a whole POST. */
export const REMEMBERED_EVENTS = LIMITS.eventsPerPost.most;

/** A key longer than this is not worth its memory: the event counts as one without an id. */
const MAX_KEY_LENGTH = 256;

/** Which events have come: a client that did not hear the answer to its POST sends the same ones again. */
export class EventMemory {
  readonly #keys = new Set<string>();

  /**
   * Those of the lines that have not come before; from now on they have. `postId` is the same for every attempt
   * of one POST: it tells apart the events that have no id of their own.
   */
  admit(lines: readonly WireLine[], postId: string | undefined): WireLine[] {
    const news = lines.filter((line, index) => {
      const key = ofReasonableLength(keyOf(line)) ?? ofReasonableLength(postId && `${index} ${postId}`);
      if (key === undefined) return true;
      const isNew = !this.#keys.has(key);
      this.#keys.add(key);
      return isNew;
    });
    for (const oldest of this.#keys) {
      if (this.#keys.size <= REMEMBERED_EVENTS) break;
      this.#keys.delete(oldest);
    }
    return news;
  }
}

/** A request and what cancels it share their id; only together with the type it names one event. */
function keyOf(line: WireLine): string | undefined {
  const head = line.head();
  const id = head.uuid ?? head.requestId ?? answeredRequest(line, head);
  return id && `${head.type} ${id}`;
}

function answeredRequest(line: WireLine, head: LineHead): string | undefined {
  if (head.type !== 'control_response') return undefined;
  const response = memberOf(line.bytes(), 'response');
  return response && new LineHead(response).requestId;
}

function ofReasonableLength(key: string | undefined): string | undefined {
  return key && key.length <= MAX_KEY_LENGTH ? key : undefined;
}
