import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@signalbox/protocol';
import type { SDKMirrorErrorMessage } from '../types/messages.ts';
import { inTime } from './in-time.ts';
import { SessionStoreTimeoutError } from './session-errors.ts';
import type { SessionKey, SessionStore, SessionStoreEntry } from './session-store.ts';

/** How long a store may take to append. */
export const APPEND_TIMEOUT_MS = 60_000;

/** How much may wait for the store before the agent is made to wait. */
export const MIRROR_HIGH_WATER_BYTES = 1024 * 1024;

/** How long to wait before each further attempt. */
const RETRY_DELAYS_MS = [200, 800];

const TRANSCRIPT =
  /[/\\]projects[/\\](?<projectKey>[^/\\]+)[/\\](?<sessionId>[^/\\]+?)(?:[/\\](?<subpath>.+))?\.jsonl$/;

/** No system has a longer one, and to look for a transcript's name takes the square of its length. */
const MAX_PATH_LENGTH = 4096;

/** What an agent wrote to a transcript of its own. */
export interface TranscriptMirror {
  filePath: string;
  entries: SessionStoreEntry[];
}

/** When entries reach the store: at the end of each turn, or as they come. */
export type SessionStoreFlush = 'batched' | 'eager';

interface Batch {
  readonly key: SessionKey;
  readonly entries: SessionStoreEntry[];
}

/** Copies what an agent writes to its transcripts into a store. A store that fails costs entries, never the turn. */
export class SessionMirror {
  readonly #store: SessionStore;
  readonly #flush: SessionStoreFlush;
  readonly #onError: (error: SDKMirrorErrorMessage) => void;
  /** By transcript, in the order in which they came. */
  #waiting = new Map<string, Batch>();
  #waitingBytes = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(
    store: SessionStore,
    flush: SessionStoreFlush,
    onError: (error: SDKMirrorErrorMessage) => void,
  ) {
    this.#store = store;
    this.#flush = flush;
    this.#onError = onError;
  }

  /** What to wait for before more is read; undefined while there is room. */
  take({ filePath, entries }: TranscriptMirror, bytes: number): Promise<void> | undefined {
    const key = keyOf(filePath);
    if (!key || !Array.isArray(entries)) return undefined;
    const batch = this.#waiting.get(filePath) ?? { key, entries: [] };
    // One by one: as arguments, very many would overflow the stack.
    for (const entry of entries) batch.entries.push(entry);
    this.#waiting.set(filePath, batch);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > MIRROR_HIGH_WATER_BYTES) return this.flush();
    if (this.#flush === 'eager') void this.#write();
    return undefined;
  }

  /** Settles when the store has all that came so far, or has failed to take it; never rejects. */
  async flush(): Promise<void> {
    await this.#write();
    this.#waitingBytes = 0;
  }

  #write(): Promise<void> {
    const batches = [...this.#waiting.values()];
    this.#waiting = new Map();
    // One after the other: the store keeps entries in the order of its calls.
    for (const batch of batches) this.#written = this.#written.then(() => this.#append(batch));
    return this.#written;
  }

  async #append(batch: Batch, [pause, ...pauses]: readonly number[] = RETRY_DELAYS_MS): Promise<void> {
    const { key, entries } = batch;
    try {
      await inTime(this.#store.append(key, entries), APPEND_TIMEOUT_MS, 'append');
    } catch (error) {
      // A call that only takes long may still succeed: a second one could store everything twice.
      const isHopeless = pause === undefined || error instanceof SessionStoreTimeoutError;
      if (isHopeless) return this.#onError(mirrorError(key, error));
      await delay(pause);
      await this.#append(batch, pauses);
    }
  }
}

/** Undefined for a file that is no transcript; an agent may name anything. */
function keyOf(filePath: unknown): SessionKey | undefined {
  if (typeof filePath !== 'string' || filePath.length > MAX_PATH_LENGTH) return undefined;
  const { projectKey, sessionId, subpath } = TRANSCRIPT.exec(filePath)?.groups ?? {};
  if (projectKey === undefined || sessionId === undefined) return undefined;
  return {
    projectKey,
    sessionId,
    ...(subpath === undefined ? {} : { subpath: subpath.replaceAll('\\', '/') }),
  };
}

function mirrorError(key: SessionKey, error: unknown): SDKMirrorErrorMessage {
  return {
    type: 'system',
    subtype: 'mirror_error',
    error: messageOf(error),
    key,
    uuid: crypto.randomUUID(),
    session_id: key.sessionId,
  };
}
