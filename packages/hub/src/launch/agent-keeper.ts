import { setTimeout as pause } from 'node:timers/promises';
import type { SessionState } from '@signalbox/protocol/hub';
import { agentGrant } from '../auth/permit.ts';
import { AgentNotConnectedError } from '../live/live-errors.ts';
import type { LiveSession } from '../live/live-session.ts';
import { noteEnd } from './agent-life.ts';
import { bridgeIdOf } from './bridge-id.ts';
import { AgentNotStoppedError } from './launch-errors.ts';
import type { Launcher, LauncherParts } from './launcher.ts';
import { LAST_WORDS, settleLostBridge } from './lost-bridge.ts';
import { reachedState } from './reached-state.ts';

/** How long an agent may take to end, SIGTERM and SIGKILL included. */
export const STOP_PATIENCE_MS = 20_000;

const LOOK_MS = 50;

/** What a session whose agent is not connected may be said to do when the hub starts. */
const WAITING: readonly SessionState[] = ['starting', 'disconnected'];

/** Ends agents, and sees to those that ended while no hub was there. */
export class AgentKeeper {
  readonly #parts: LauncherParts;
  readonly #launcher: Launcher;
  readonly #leaving = new AbortController();

  constructor(parts: LauncherParts, launcher: Launcher) {
    this.#parts = parts;
    this.#launcher = launcher;
  }

  /**
   * End a session's agent with all that it started. Settles when it is gone; raises `AGENT_NOT_STOPPED` when that
   * takes too long, and `AGENT_NOT_CONNECTED` when it is out of reach.
   */
  async stop(live: LiveSession): Promise<void> {
    if (live.session.state === 'exited') return;
    if (!live.isConnected) return this.#stopUnconnected(live);
    const gone = reachedState(this.#parts.sessions, live.id, ['exited'], STOP_PATIENCE_MS);
    await live.dismissAgent();
    if (!(await gone)) throw new AgentNotStoppedError(live.id, STOP_PATIENCE_MS);
  }

  /** A hub has started: agents that run dial in by themselves, and of those that do not, the end is told. */
  async findAgain(): Promise<void> {
    const { store, onTrouble } = this.#parts;
    let after: string | undefined;
    do {
      const page = await store.sessions.list({ states: WAITING, ...(after ? { after } : {}) });
      const looks = page.items.map(({ id }) =>
        this.#lookFor(id).catch((error: unknown) => onTrouble(error, id)),
      );
      await Promise.all(looks);
      after = page.next;
    } while (after !== undefined && !this.#leaving.signal.aborted);
  }

  /** What is not settled by now is for the next start of the hub. */
  close(): void {
    this.#leaving.abort();
  }

  async #lookFor(id: string): Promise<void> {
    const { store, sessions } = this.#parts;
    const isLost = (await store.launches.get(id)) && !(await this.#launcher.running(id));
    if (isLost) await this.#settle(await sessions.get(id));
  }

  async #stopUnconnected(live: LiveSession): Promise<void> {
    const bridge = await this.#launcher.running(live.id);
    if (bridge) {
      process.kill(bridge.pid, 'SIGTERM');
      for (let waited = 0; await this.#launcher.running(live.id); waited += LOOK_MS) {
        if (waited > STOP_PATIENCE_MS) throw new AgentNotStoppedError(live.id, STOP_PATIENCE_MS);
        await pause(LOOK_MS);
      }
    }
    if (live.session.state === 'exited') return;
    if (!(await this.#parts.store.launches.get(live.id))) throw new AgentNotConnectedError(live.id);
    await this.#settle(live);
  }

  async #settle(live: LiveSession): Promise<void> {
    const { store, setup, hub } = this.#parts;
    if (!setup) return;
    const { device, token } = await store.devices.add(agentGrant(live.id));
    try {
      const isDelivered = await settleLostBridge({
        home: setup.home,
        id: bridgeIdOf(live.id),
        session: live.id,
        hub,
        token,
        isExitKnown: live.session.exit !== null,
        signal: this.#leaving.signal,
      });
      if (isDelivered && live.session.state !== 'exited') noteEnd(live, LAST_WORDS);
    } finally {
      await store.devices.revoke(device.id);
    }
  }
}
