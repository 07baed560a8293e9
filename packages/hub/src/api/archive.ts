import { LIMITS, LineDecoder } from '@signalbox/protocol';
import type { Session } from '@signalbox/protocol/hub';
import { permit } from '../auth/permit.ts';
import type { AgentKeeper } from '../launch/agent-keeper.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { Device } from '../store/device.ts';
import { exportSession, importSession } from '../store/session-file.ts';
import type { Store } from '../store/store.ts';
import { turns } from '../work/turns.ts';
import { BodyTooLongError } from './api-errors.ts';
import type { Desk } from './desk.ts';

/** What of an export is sent at a time. */
const CHUNK_LENGTH = 64 * 1024;

/** Whole sessions: out of the hub, into it, and gone. */
export class Archive {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #desk: Desk;
  readonly #keeper: AgentKeeper;

  constructor(store: Store, sessions: LiveSessions, desk: Desk, keeper: AgentKeeper) {
    this.#store = store;
    this.#sessions = sessions;
    this.#desk = desk;
    this.#keeper = keeper;
  }

  /** A session as JSONL. */
  async export(by: Device, id: string): Promise<AsyncIterable<string>> {
    await this.#desk.live(by, id);
    return inChunks(exportSession(this.#store, id));
  }

  /** A session from its export: all of it, or nothing. Who said what is taken from the file, and so it takes an admin. */
  async import(by: Device, file: AsyncIterable<Uint8Array>, as?: string): Promise<Session> {
    permit(by, 'admin');
    const session = await importSession(this.#store, linesOf(file), as).catch(async (error: unknown) => {
      // Who still sends does not listen: the connection would end before the answer was read.
      for await (const _ of file);
      throw error;
    });
    this.#sessions.adopt(session);
    await this.#desk.decided(by, 'import session', session.id);
    return session;
  }

  /** Forget a session with all that was said in it; the audit log stays. Raises `SESSION_CONNECTED`. */
  async remove(by: Device, id: string): Promise<void> {
    permit(by, 'admin', id);
    await this.#keeper.assertEnded(await this.#sessions.known(id));
    await this.#sessions.remove(id);
    await this.#desk.revokeAgents(by, id);
    await this.#desk.decided(by, 'remove session', id);
  }
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (turns.isOver) await turns.rest();
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

async function* linesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lines: string[] = [];
  const decoder = new LineDecoder({
    maxLineBytes: LIMITS.importLineBytes.most,
    onLine: (line) => lines.push(line.text()),
  });
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.importBytes.most) throw new BodyTooLongError(LIMITS.importBytes);
    decoder.push(chunk);
    yield* lines.splice(0);
  }
  decoder.end();
  yield* lines;
}
