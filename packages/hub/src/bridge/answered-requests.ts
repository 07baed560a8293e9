import { isJsonObject, type WireLine } from '@signalbox/protocol';

/** How many answers are known again. */
const MAX_REMEMBERED = 10_000;

/**
 * What the agent was answered. A hub that was killed over an answer cannot know whether that arrived, and sends it again:
 * an agent that waits for nothing any more might take it for something else.
 */
export class AnsweredRequests {
  readonly #answered = new Set<string>();

  /** Whether the agent has this answer already; from now on it has. */
  isRepeat(line: WireLine): boolean {
    const id = line.head().type === 'control_response' ? answeredIn(line) : undefined;
    if (id === undefined) return false;
    if (this.#answered.has(id)) return true;
    this.#answered.add(id);
    const [oldest] = this.#answered;
    if (this.#answered.size > MAX_REMEMBERED && oldest !== undefined) this.#answered.delete(oldest);
    return false;
  }

  /** The agent asks: an answer to this is news, also when it uses an id again. */
  asked(line: WireLine): void {
    if (this.#answered.size === 0) return;
    const { type, requestId } = line.head();
    if (type === 'control_request' && requestId !== undefined) this.#answered.delete(requestId);
  }
}

function answeredIn(line: WireLine): string | undefined {
  try {
    const message = line.json();
    const response = isJsonObject(message) ? message.response : undefined;
    const id = isJsonObject(response) ? response.request_id : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
