import type { Session, UpdatePage } from '@signalbox/protocol/hub';
import { freeMemory, LONG_MESSAGE_BYTES } from '../../../base/free-memory.ts';
import type { Caller } from '../../sql/call.ts';
import { type PackedResumption, unpackWindow } from '../../sql/packed-window.ts';
import { SessionNotFoundError } from '../../store-errors.ts';
import type { SearchIndex } from './search-index.ts';

/** Entries of one session that are indexed at once. */
const SLICE_ENTRIES = 500;

/** Sessions that are looked at before the next are asked for. */
const PAGE_SESSIONS = 64;

/** Brings an index to what the record has: it follows the updates of all sessions, and each session by its cursor. */
export class Indexer {
  readonly #index: SearchIndex;
  readonly #ask: Caller;
  readonly #pause: () => Promise<void>;

  /** `pause` is called after each slice of the work. */
  constructor(index: SearchIndex, ask: Caller, pause: () => Promise<void> = async () => {}) {
    this.#index = index;
    this.#ask = ask;
    this.#pause = pause;
  }

  /** Index all that is durable now. */
  async catchUp(): Promise<void> {
    for (;;) {
      try {
        return await this.#follow();
      } catch (error) {
        if (!this.#index.mend(error)) throw error;
      }
    }
  }

  async #follow(): Promise<void> {
    for (;;) {
      const page = await this.#updates();
      if (page.state === 'reset') {
        this.#index.writer.beginWalk();
        continue;
      }
      for (const update of page.items) {
        if (update.kind === 'removed') await this.#remove(update.session);
        else await this.#indexSession(update.session);
        this.#index.writer.notePosition(update.position);
      }
      if (this.#index.writer.position < page.position) this.#index.writer.notePosition(page.position);
      if (page.isComplete) break;
    }
    while (this.#index.writer.endWalk()) await this.#pause();
  }

  async #indexSession(id: string): Promise<void> {
    const facts = await this.#session(id);
    // It was removed meanwhile: an update says so.
    if (!facts) return;
    for (;;) {
      const { isLast, bytes } = await this.#indexSlice(id, facts.folder);
      // Nothing holds the lines any more.
      if (bytes > LONG_MESSAGE_BYTES) freeMemory();
      if (isLast) return;
    }
  }

  /** Index what follows what is known of a session. */
  async #indexSlice(id: string, folder: string | null): Promise<{ isLast: boolean; bytes: number }> {
    const session = this.#index.writer.session(id, folder);
    const rest = await this.#resume(id, session.cursor);
    if (!rest) return { isLast: true, bytes: 0 };
    // What was trimmed is found no more: what is left is indexed anew.
    const isStale = rest.state === 'resumed' && session.cursor.seq > 0 && rest.trimmed > session.trimmed;
    if (rest.state === 'reset' || isStale) {
      await this.#remove(id);
      return { isLast: false, bytes: 0 };
    }
    const { entries, last, trimmed } = unpackWindow(rest);
    this.#index.writer.add(session, entries, trimmed);
    if (entries.length > 0) await this.#pause();
    const bytes = rest.parts.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
    return { isLast: (entries.at(-1)?.seq ?? last) >= last, bytes };
  }

  async #remove(id: string): Promise<void> {
    while (this.#index.writer.remove(id)) await this.#pause();
  }

  // The parts of the store that are asked are at the other side of the caller, and answer with these.

  async #updates(): Promise<UpdatePage> {
    const values = [this.#index.writer.position, PAGE_SESSIONS];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `SqliteUpdates.after` ran on the other side
    return (await this.#ask({ part: 'updates', method: 'after', values })) as UpdatePage;
  }

  async #session(id: string): Promise<Session | undefined> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `SqliteSessions.get` did
    return (await this.#ask({ part: 'sessions', method: 'get', values: [id] })) as Session | undefined;
  }

  /** Nothing when the session is no more. */
  async #resume(id: string, cursor: { seq: number; check: number }): Promise<PackedResumption | undefined> {
    try {
      const values = [id, cursor, SLICE_ENTRIES];
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `SqliteRecord.resume` did
      return (await this.#ask({ part: 'record', method: 'resume', values })) as PackedResumption;
    } catch (error) {
      if (error instanceof SessionNotFoundError) return undefined;
      throw error;
    }
  }
}
