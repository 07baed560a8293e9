import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session, TurnChanges } from '@signalbox/protocol/hub';
import { settledWithin } from '@signalbox/transport';
import { KeyedQueue } from '../base/keyed-queue.ts';
import { mayBeInRepository, SessionSnapshots } from '../changes/session-snapshots.ts';
import { bridgeIdOf } from '../launch/bridge-id.ts';
import { launchHere } from '../launch/launches-here.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Turn } from '../sessions/turn.ts';
import type { Store } from '../store/store.ts';

/** How long a hub that leaves waits for what it was noting. */
const CLOSE_MS = 1000;

/** How many entries are read to tell whether the agent has said something. */
const LOOKED_AT = 50;

/** What {@link TurnSnapshots} work with. */
export interface TurnSnapshotsParts {
  store: Store;
  sessions: LiveSessions;
  /** Where Signalbox keeps its data. */
  home: string;
  onTrouble: (error: unknown, session: string) => void;
}

/**
 * Takes note of the files when an agent of this machine is started, and before and after each of its turns. Nobody waits for it,
 * and nothing fails with it: a turn of which nothing could be noted says why.
 */
export class TurnSnapshots {
  readonly #parts: TurnSnapshotsParts;
  readonly #queue = new KeyedQueue();
  readonly #running = new Set<Promise<unknown>>();
  readonly #stop: () => void;
  #isClosed = false;

  constructor(parts: TurnSnapshotsParts) {
    this.#parts = parts;
    this.#stop = parts.sessions.onTurn((live, turn, entry) => this.#onTurn(live, turn, entry));
  }

  /** The agent of a session is being started. */
  started({ id }: Session): void {
    void this.#work(id, (snapshots, folder) => snapshots.begin(folder));
  }

  /** What is kept of a session. */
  of(session: string): SessionSnapshots {
    return new SessionSnapshots(join(this.#folder(session), 'snapshots'));
  }

  /** The session is no more. */
  async forget(session: string): Promise<void> {
    await this.#queue.run(session, () => rm(this.#folder(session), { recursive: true, force: true }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await settledWithin(Promise.all(this.#running), CLOSE_MS);
  }

  #onTurn(live: LiveSession, turn: Turn, entry: number): void {
    const { id, isLaunched } = live.session;
    if (!isLaunched) return;
    const done = this.#work(id, async (snapshots, folder) => {
      if (turn === 'running') return snapshots.beginTurn(folder, () => this.#hasReplied(id, entry));
      const changes = await snapshots.endTurn(folder, entry);
      if (changes && !this.#isClosed) await this.#tell(live, snapshots, changes);
    });
    void live.hold(done);
  }

  /** Whether the agent has said something since this entry: a tool may be at work. */
  async #hasReplied(session: string, entry: number): Promise<boolean> {
    const { entries } = await this.#parts.store.record.window(session, entry + 1, LOOKED_AT);
    return entries.some((one) => one.kind === 'line' && one.line.head().type === 'assistant');
  }

  /** The record says what a turn changed, for whoever reads it. */
  async #tell(
    live: LiveSession,
    snapshots: SessionSnapshots,
    { turn, files, added, removed, leftOut }: TurnChanges,
  ): Promise<void> {
    const [, before] = await snapshots.turns();
    // A reason is said once, not with every turn.
    const isNews = leftOut === null ? files > 0 : leftOut !== before?.leftOut;
    const told = leftOut === null ? { files, added, removed } : { leftOut };
    if (isNews) await live.mark({ subtype: 'changes', turn, ...told }, { by: 'hub' });
  }

  /** Where the hub launched the agent: that may say that it is anywhere. */
  async #work(
    session: string,
    work: (snapshots: SessionSnapshots, folder: string) => Promise<void>,
  ): Promise<void> {
    if (this.#isClosed) return;
    const done = this.#queue
      .run(session, async () => {
        const launch = await launchHere(this.#parts.store.launches, session);
        if (!launch || !mayBeInRepository(launch.spec.folder)) return;
        await work(this.of(session), launch.spec.folder);
      })
      .catch((error: unknown) => this.#parts.onTrouble(error, session));
    this.#running.add(done);
    await done;
    this.#running.delete(done);
  }

  #folder(session: string): string {
    return join(this.#parts.home, 'changes', bridgeIdOf(session));
  }
}
