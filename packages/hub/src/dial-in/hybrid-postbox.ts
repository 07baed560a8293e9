import type { WireLine } from '@signalbox/protocol';
import { LIMITS } from '@signalbox/protocol';
import { EventMemory, EventsRefusedError } from '@signalbox/transport';
import type { LiveSession } from '../live/live-session.ts';
import type { Store } from '../store/store.ts';

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
    const remember = (id: string) => () => answers.keep(principal, id, answer, POST_LIFETIME_MS);
    try {
      await this.#live.post(news, postId === undefined ? undefined : remember(postId));
    } catch (error) {
      // They will come again, and must not be taken for known then.
      this.#memory = new EventMemory();
      throw error;
    }
  }

  /** What a hub before this one has recorded, and whose answer did not arrive, is dropped. */
  async #unrecorded(lines: readonly WireLine[]): Promise<WireLine[]> {
    const isKnown = await Promise.all(
      lines.map(async (line) => {
        const { type, uuid } = line.head();
        if (uuid === undefined || type === 'stream_event') return false;
        return (await this.#store.record.locate(this.#live.id, uuid)) !== undefined;
      }),
    );
    return lines.filter((_, index) => !isKnown[index]);
  }
}
