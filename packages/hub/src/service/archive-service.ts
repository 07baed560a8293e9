import { LIMITS, LineDecoder } from '@signalbox/protocol';
import type { LeftWorktree, Session } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { BodyTooLongError } from '../base/request-errors.ts';
import { turns } from '../base/turns.ts';
import type { AgentKeeper } from '../launch/agent-keeper.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import { exportSession, importSession } from '../store/session-file.ts';
import type { Store } from '../store/store.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { ChangesService } from './changes-service.ts';
import { auditEntry, type Decisions } from './decisions.ts';
import type { DeviceService } from './device-service.ts';
import { permit } from './permit.ts';
import type { TerminalService } from './terminal-service.ts';

/** What of an export is sent at a time. */
const CHUNK_LENGTH = 64 * 1024;

/** What an {@link ArchiveService} works with. */
export interface ArchiveServiceParts {
  store: Store;
  sessions: LiveSessions;
  keeper: AgentKeeper;
  devices: DeviceService;
  terminals: TerminalService | undefined;
  worktrees: Worktrees | undefined;
  changes: ChangesService | undefined;
  decisions: Decisions;
}

/** Whole sessions: out of the hub, into it, and gone. */
export class ArchiveService {
  readonly #parts: ArchiveServiceParts;

  constructor(parts: ArchiveServiceParts) {
    this.#parts = parts;
  }

  /** A session as JSONL. */
  async export(by: Device, id: string): Promise<AsyncIterable<string>> {
    const { store, sessions } = this.#parts;
    permit(by, 'watch', id);
    await sessions.known(id);
    return inChunks(exportSession(store, id));
  }

  /** A session from its export: all of it, or nothing. Who said what is taken from the file, and so it takes an admin. */
  async import(by: Device, file: AsyncIterable<Uint8Array>, as?: string): Promise<Session> {
    permit(by, 'admin');
    const { store, sessions, decisions } = this.#parts;
    const session = await importSession(store, linesOf(file), {
      as,
      effects: (id) => [auditEntry(authorOf(by), { what: 'import session', session: id })],
    }).catch(async (error: unknown) => {
      // Who still sends does not listen: the connection would end before the answer was read.
      for await (const _ of file);
      throw error;
    });
    sessions.adopt(session);
    decisions.tell(authorOf(by), { what: 'import session', session: session.id });
    return session;
  }

  /**
   * Forget a session with all that was said in it; the audit log stays. Gives what became of its worktree. Raises
   * `SESSION_CONNECTED`.
   */
  async remove(by: Device, id: string): Promise<LeftWorktree | undefined> {
    permit(by, 'admin', id);
    const { sessions, keeper, devices, terminals, worktrees, changes, decisions } = this.#parts;
    await keeper.assertEnded(await sessions.known(id));
    await terminals?.endAll(by, id);
    await changes?.forget(by, id);
    const decided = { what: 'remove session', session: id };
    const tokens = await devices.agentTokens(by, id);
    await sessions.remove(id, [...tokens.effects, auditEntry(authorOf(by), decided)]);
    tokens.onRevoked();
    decisions.tell(authorOf(by), decided);
    return worktrees?.release(id);
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
