import { type JsonObject, messageOf } from '@signalbox/protocol';
import { pagesOf, type Session, type SessionRestart } from '@signalbox/protocol/hub';
import { launchHere } from '../launch/launches-here.ts';
import { restartAfter } from '../launch/restart-plan.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Store } from '../store/store.ts';

/** How far back it is looked for whoever ended an agent. */
const ENDER_WITHIN = 200;

/** What {@link AgentRestarts} works with. */
export interface AgentRestartsParts {
  store: Store;
  sessions: LiveSessions;
  /** Start the agent of a session again, with its conversation. */
  start: (session: string) => Promise<unknown>;
  /** True while an agent of the session is being started: whoever starts it is told how that goes. */
  isStarting: (session: string) => boolean;
  onTrouble: (error: unknown, session: string) => void;
}

/** Starts agents again that have ended by themselves, where that was asked for at their launch. */
export class AgentRestarts {
  readonly #parts: AgentRestartsParts;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #considering = new Set<string>();
  #stopListening: (() => void) | undefined;

  constructor(parts: AgentRestartsParts) {
    this.#parts = parts;
  }

  /** Go on with what a hub before this one had begun, and hear of what ends from now on. */
  async begin(): Promise<void> {
    const { store, sessions } = this.#parts;
    this.#stopListening = sessions.onSession((session) => this.#hear(session));
    for await (const page of pagesOf((from) => store.sessions.list({ states: ['exited'], ...from })))
      for (const session of page) this.#hear(session);
  }

  close(): void {
    this.#stopListening?.();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A person ends the agent, or starts it: whatever was planned is not done. */
  cancel(live: LiveSession): void {
    clearTimeout(this.#timers.get(live.id));
    this.#timers.delete(live.id);
    const { restart } = live.session;
    if (restart) live.note({ restart: { ...restart, state: 'over', nextAt: null } });
  }

  #hear({ id, state, view, restart }: Session): void {
    if (state !== 'exited' || view !== 'sdk' || !restart) return;
    if (this.#considering.has(id) || this.#parts.isStarting(id)) return;
    if (restart.state === 'waiting' && !this.#timers.has(id)) this.#wait(id, restart);
    if (restart.state !== 'watching') return;
    void this.#consider(id);
  }

  /** `problem` is why it could not be started, where it was not. */
  async #consider(id: string, problem?: string): Promise<void> {
    this.#considering.add(id);
    try {
      // That of another node is started again when that one leads.
      if (!(await launchHere(this.#parts.store.launches, id))) return;
      await this.#parts.sessions.use(id, (live) => this.#decide(live, problem));
    } catch (error) {
      this.#parts.onTrouble(error, id);
    } finally {
      this.#considering.delete(id);
    }
  }

  async #decide(live: LiveSession, problem: string | undefined): Promise<void> {
    const { id } = live;
    await live.settled();
    const isWanted = await this.#isWanted(id);
    const { restart, state } = live.session;
    if (state !== 'exited' || restart?.state !== 'watching' || this.#parts.isStarting(id)) return;
    const exit = problem === undefined ? live.session.exit : { code: null, signal: null, stderr: problem };
    const now = Date.now();
    const next = restartAfter(restart, exit, { isWanted, now });
    // The record first: a hub that is killed here considers it once more.
    if (next.state !== 'over') await live.mark(noteOf(next, now), { by: 'hub' });
    live.note({ restart: next });
    if (next.state === 'waiting') this.#wait(id, next);
  }

  /** The record has who ended an agent, ahead of its end. */
  async #isWanted(id: string): Promise<boolean> {
    const { entries } = await this.#parts.store.record.tail(id, ENDER_WITHIN);
    for (const entry of entries.toReversed()) {
      if (entry.kind === 'damaged') continue;
      const { type, subtype } = entry.line.head();
      if (type === 'hub' && subtype === 'stop' && entry.author.by !== 'agent') return true;
      if (type === 'bridge' && subtype === 'started') return false;
    }
    return false;
  }

  #wait(id: string, { nextAt }: SessionRestart): void {
    const timer = setTimeout(() => void this.#restart(id), Math.max(0, (nextAt ?? 0) - Date.now())).unref();
    this.#timers.set(id, timer);
  }

  async #restart(id: string): Promise<void> {
    this.#timers.delete(id);
    const { store, sessions, start, onTrouble } = this.#parts;
    let problem: string | undefined;
    // Until it is known how the start went, what is said of the session is about the process before.
    this.#considering.add(id);
    try {
      if (!(await launchHere(store.launches, id))) return;
      const isDue = await sessions.use(id, (live) => {
        const { restart, state } = live.session;
        if (state !== 'exited' || restart?.state !== 'waiting') return false;
        live.note({ restart: { ...restart, state: 'watching', nextAt: null, startedAt: Date.now() } });
        return true;
      });
      if (!isDue) return;
      await start(id);
    } catch (error) {
      onTrouble(error, id);
      problem = messageOf(error);
    } finally {
      this.#considering.delete(id);
    }
    // It could not be started, or has ended already.
    await this.#consider(id, problem);
  }
}

function noteOf({ state, count, most, why, nextAt }: SessionRestart, now: number): JsonObject {
  const isWaiting = state === 'waiting';
  const inSeconds = Math.round(((nextAt ?? now) - now) / 1000);
  const message = isWaiting
    ? `${why} It is started again in ${inSeconds} s, ${count} of ${most} times in a row.`
    : `${why} It was started again ${most} times in a row, and is left as it is.`;
  return { subtype: 'restart', state, count, most, why, message };
}
