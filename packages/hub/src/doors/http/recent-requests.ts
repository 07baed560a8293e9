import { createHash } from 'node:crypto';
import type { ControlRequestBody, JsonObject } from '@signalbox/protocol';

/** How many requests are known again when they come twice. */
export const REMEMBERED_REQUESTS = 100;

/** A longer answer is not kept: what answers at such length reads, and may as well read again. */
export const REMEMBERED_ANSWER_LENGTH = 64 * 1024;

/** A host that lost its connection asks again what it got no answer to: the agent is asked once all the same. */
export class RecentRequests {
  readonly #answers = new Map<string, Promise<JsonObject>>();

  /** What `ask` gives, or gave when the same request came before under this name. What fails may be asked again. */
  answer(name: string, request: ControlRequestBody, ask: () => Promise<JsonObject>): Promise<JsonObject> {
    const key = createHash('sha256')
      .update(JSON.stringify([name, request]))
      .digest('base64url');
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = ask();
    this.#answers.set(key, answer);
    void answer.then(
      (said) => {
        if (JSON.stringify(said).length > REMEMBERED_ANSWER_LENGTH) this.#answers.delete(key);
      },
      () => this.#answers.delete(key),
    );
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= REMEMBERED_REQUESTS) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }
}
