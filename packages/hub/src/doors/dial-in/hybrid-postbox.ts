import type { WireLine } from '@signalbox/protocol';
import { LIMITS } from '@signalbox/protocol';
import { EventMemory, EventsRefusedError } from '@signalbox/transport';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { Store } from '../../store/store.ts';

/** How long a POST is known again after a restart of the hub: longer than any client goes on trying. */
const POST_LIFETIME_MS = 60 * 60_000;

/** What a POST is answered with when it was taken. */
export const TAKEN = '{}';

/** What the hybrid agent of one session posts: in the order of the POSTs, each event once. */
export class HybridPostbox {
  readonly #live: LiveSession;
  readonly #store: Store;
  #memory = new EventMemory();
  #posts = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** After a POST that was recorded, all that follows the first new line of the next one is new as well. */
  #before: 'unknown' | 'recorded' = 'unknown';

  constructor(live: LiveSession, store: Store) {
    this.#live = live;
    this.#store = store;
  }

  /**
   * Settles when the events are durable. `postId` is the same for every attempt of one POST. `read` is called when its turn
   * comes: no two bodies of one agent are in memory.
   */
  async take(read: () => Promise<readonly WireLine[]>, postId: string | undefined): Promise<void> {
    if (this.#posts >= LIMITS.postsAtOnce.most) throw new EventsRefusedError(429, 'Post one at a time.');
    this.#posts += 1;
    const taken = this.#last.then(async () => this.#keep(await read(), postId));
    // The next POST waits for this one, and does not fail with it.
    this.#last = taken.catch(() => {});
    try {
      await taken;
    } finally {
      this.#posts -= 1;
    }
  }

  async #keep(lines: readonly WireLine[], postId: string | undefined): Promise<void> {
    const { answers } = this.#store;
    const principal = `events of ${this.#live.id}`;
    if (postId !== undefined && (await answers.recall(principal, postId))) return;
    const news = await this.#unrecorded(this.#memory.admit(lines, postId));
    const answer = { fingerprint: '', status: 200, body: TAKEN };
    try {
      await this.#live.post(
        news,
        postId === undefined
          ? []
          : [{ kind: 'keep-answer', principal, key: postId, answer, lifetimeMs: POST_LIFETIME_MS }],
      );
      this.#before = 'recorded';
    } catch (error) {
      this.#before = 'unknown';
      // They will come again, and must not be taken for known then.
      this.#memory = new EventMemory();
      throw error;
    }
  }

  /** Without what was recorded already and whose answer did not arrive: by a hub before this one, or by a POST that failed. */
  async #unrecorded(lines: readonly WireLine[]): Promise<readonly WireLine[]> {
    const news: WireLine[] = [];
    for (const [index, line] of lines.entries()) {
      const { type, uuid } = line.head();
      const isSought = uuid !== undefined && type !== 'stream_event';
      // One at a time: whoever else needs the store gets it in between.
      if (isSought && (await this.#store.record.locate(this.#live.id, uuid)) !== undefined) continue;
      if (isSought && this.#before === 'recorded') return [...news, ...lines.slice(index)];
      news.push(line);
    }
    return news;
  }
}
