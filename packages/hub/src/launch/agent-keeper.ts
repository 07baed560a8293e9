import { setTimeout as pause } from 'node:timers/promises';
import { pagesOf, type Session, type SessionState } from '@signalbox/protocol/hub';
import { settledWithin } from '@signalbox/transport';
import { agentGrant } from '../auth/identity.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import { AgentNotConnectedError, SessionConnectedError } from '../sessions/session-errors.ts';
import { noteEnd } from './agent-life.ts';
import { bridgeIdOf } from './bridge-id.ts';
import { AgentNotStoppedError } from './launch-errors.ts';
import { type Launcher, type LauncherParts, STOP_PATIENCE_MS } from './launcher.ts';
import { launchHere } from './launches-here.ts';
import { LAST_WORDS, settleLostBridge } from './lost-bridge.ts';
import { reachedState } from './reached-state.ts';

/** How often it is looked whether the bridge of an agent that is out of reach still runs. */
const LOOK_MS = 2000;

/** What a session whose agent is not connected may be said to do when the hub starts. */
const WAITING: readonly SessionState[] = ['starting', 'disconnected'];

/** Ends agents, and sees to those that are gone without a word, now or while no hub was there. */
export class AgentKeeper {
  readonly #parts: LauncherParts;
  readonly #launcher: Launcher;
  readonly #leaving = new AbortController();
  readonly #lookedAfter = new Set<string>();
  readonly #settling = new Map<string, Promise<void>>();

  constructor(parts: LauncherParts, launcher: Launcher) {
    this.#parts = parts;
    this.#launcher = launcher;
  }

  /**
   * End a session's agent with all that it started. Settles when it is gone; raises `AGENT_NOT_STOPPED` when that
   * takes too long, and `AGENT_NOT_CONNECTED` when it is out of reach.
   */
  async stop(live: LiveSession): Promise<void> {
    const { stopPatienceMs = STOP_PATIENCE_MS, onTrouble } = this.#parts;
    if (live.session.state === 'exited') return this.#settled(live.id, stopPatienceMs);
    const isGone = live.isConnected
      ? await this.#dismiss(live, stopPatienceMs)
      : await this.#stopUnconnected(live, stopPatienceMs);
    if (isGone) return;
    const error = new AgentNotStoppedError(
      live.id,
      stopPatienceMs,
      this.#launcher.bridges.lastWords(live.id),
    );
    onTrouble(error, live.id);
    throw error;
  }

  /** Raises `SESSION_CONNECTED` while a session has an agent on this machine, whether that reaches the hub or not. */
  async assertEnded({ id, state }: Session): Promise<void> {
    const { stopPatienceMs = STOP_PATIENCE_MS } = this.#parts;
    const { bridges } = this.#launcher;
    // The bridge of an agent that has ended leaves by itself.
    if (state === 'exited') await this.#settled(id, stopPatienceMs);
    const bridge = state === 'exited' ? await bridges.stillRunning(id, stopPatienceMs) : bridges.running(id);
    if (bridge || state === 'terminal' || this.#settling.has(id) || this.#launcher.underWay.has(id))
      throw new SessionConnectedError(id);
  }

  /** A hub has started: agents that run dial in by themselves, and of those that do not, the end is told. */
  async findAgain(): Promise<void> {
    const { store, sessions } = this.#parts;
    const stop = sessions.onSession(({ id, state }) => {
      if (state === 'disconnected') this.#lookAfter(id);
    });
    this.#leaving.signal.addEventListener('abort', stop);
    for await (const page of pagesOf((from) => store.sessions.list({ states: WAITING, ...from }))) {
      await Promise.all(page.map(({ id }) => this.#find(id).catch(this.#troubleOf(id))));
      if (this.#leaving.signal.aborted) return;
    }
  }

  /** What is not settled by now is for the next start of the hub. */
  close(): void {
    this.#leaving.abort();
  }

  async #find(id: string): Promise<void> {
    await this.#ofLaunched(id, async (live) => {
      // Looked at in any case: one that was seen is known until it is gone.
      const bridge = this.#launcher.bridges.running(id);
      if (live.isConnected || this.#launcher.underWay.has(id)) return;
      if (!bridge) return this.#settle(live);
      // Whoever launched it waits no more.
      live.note({ state: 'disconnected' });
      this.#lookAfter(id);
    });
  }

  /** An agent that is out of reach comes back by itself, or its bridge is gone and its end has to be told. */
  #lookAfter(id: string): void {
    if (this.#lookedAfter.has(id)) return;
    this.#lookedAfter.add(id);
    this.#untilBack(id)
      .catch(this.#troubleOf(id))
      .finally(() => this.#lookedAfter.delete(id));
  }

  async #untilBack(id: string): Promise<void> {
    const { signal } = this.#leaving;
    for (;;) {
      const isAway = await this.#ofLaunched(id, async (live) => {
        if (signal.aborted || live.session.state !== 'disconnected') return false;
        const isRunning = this.#launcher.bridges.running(id) || this.#launcher.underWay.has(id);
        if (!isRunning) await this.#settle(live);
        return isRunning;
      });
      if (!isAway) return;
      await pause(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Settles with undefined when this hub did not launch its agent, or the session is no more. */
  async #ofLaunched<Result>(
    id: string,
    work: (live: LiveSession) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { store, sessions } = this.#parts;
    return (await launchHere(store.launches, id)) ? sessions.use(id, work) : undefined;
  }

  /** Its link may take the order and not pass it on: how long that takes says nothing. */
  async #dismiss(live: LiveSession, patienceMs: number): Promise<boolean> {
    const gone = reachedState(this.#parts.sessions, live.id, ['exited'], patienceMs);
    live.dismissAgent().catch(this.#troubleOf(live.id));
    return gone;
  }

  async #stopUnconnected(live: LiveSession, patienceMs: number): Promise<boolean> {
    if (!(await this.#launcher.bridges.end(live.id, patienceMs))) return false;
    if (live.session.state === 'exited') return true;
    if (!(await this.#parts.store.launches.get(live.id))) throw new AgentNotConnectedError(live.id);
    return settledWithin(this.#settle(live), patienceMs);
  }

  /** Once at a time: only one can have the folder of a bridge. */
  #settle(live: LiveSession): Promise<void> {
    const { id } = live;
    const settling =
      this.#settling.get(id) ?? live.hold(this.#tellEnd(live)).finally(() => this.#settling.delete(id));
    this.#settling.set(id, settling);
    return settling;
  }

  /** Whoever tells the end of an agent has the folder of its bridge until that is told and tidied up. */
  async #settled(id: string, patienceMs: number): Promise<void> {
    const settling = this.#settling.get(id);
    // What goes wrong there is told where it was begun.
    if (settling) await settledWithin(settling, patienceMs).catch(() => {});
  }

  async #tellEnd(live: LiveSession): Promise<void> {
    const { store, setup } = this.#parts;
    if (!setup) return;
    const { device, token } = await store.devices.add(agentGrant(live.id));
    try {
      const isDelivered = await settleLostBridge({
        home: setup.home,
        id: bridgeIdOf(live.id),
        session: live.id,
        token,
        isExitKnown: live.session.exit !== null,
        signal: this.#leaving.signal,
      });
      if (isDelivered && live.session.state !== 'exited') noteEnd(live, LAST_WORDS);
    } finally {
      await this.#parts.revoke(device.id);
    }
  }

  #troubleOf(id: string): (error: unknown) => void {
    return (error) => this.#parts.onTrouble(error, id);
  }
}
