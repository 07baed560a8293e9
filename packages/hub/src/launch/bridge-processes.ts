import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '@signalbox/protocol';
import { folderOf, logOf, readMeta } from '../bridge/bridge-folder.ts';
import { lastLinesOf } from '../bridge/bridge-log.ts';
import { ownerOf } from '../bridge/folder-lock.ts';
import { isRunning, type ProcessIdentity } from '../bridge/running-process.ts';
import { bridgeIdOf } from './bridge-id.ts';

const LOOK_MS = 20;

/** The bridges of a hub's sessions, as processes of this machine. */
export class BridgeProcesses {
  readonly #home: string | undefined;
  /** A bridge removes its folder a moment before its process is gone: the folder alone does not say that it is. */
  readonly #seen = new Map<string, ProcessIdentity>();

  /** Without a home there are none. */
  constructor(home: string | undefined) {
    this.#home = home;
  }

  /** A bridge was started for a session. */
  started(session: string, bridge: ProcessIdentity): void {
    this.#seen.set(session, bridge);
  }

  /** The bridge of a session, if it runs. */
  running(session: string): ProcessIdentity | undefined {
    const folder = this.#folderOf(session);
    const owner = folder === undefined ? undefined : ownerOf(folder);
    // Whoever tidies up behind a bridge owns its folder too, and the id of the dead may be a stranger's by now.
    if (folder !== undefined && owner && readMeta(folder)?.pid === owner.pid) this.#seen.set(session, owner);
    const seen = this.#seen.get(session);
    if (seen && isRunning(seen)) return seen;
    this.#seen.delete(session);
    return undefined;
  }

  /** The bridge of a session, if it runs after it was given this time to leave. */
  async stillRunning(session: string, patienceMs: number): Promise<ProcessIdentity | undefined> {
    const patience = timeLimit(patienceMs);
    let bridge = this.running(session);
    while (bridge && !patience.aborted) {
      await pause(LOOK_MS);
      bridge = this.running(session);
    }
    return bridge;
  }

  /** End the bridge of a session, and so its agent, without the hub's link to it. False when it stays. */
  async end(session: string, patienceMs: number): Promise<boolean> {
    const bridge = this.running(session);
    if (!bridge) return true;
    process.kill(bridge.pid, 'SIGTERM');
    return !(await this.stillRunning(session, patienceMs));
  }

  /** What the bridge of a session said last in its log. */
  lastWords(session: string): string {
    const folder = this.#folderOf(session);
    return folder === undefined ? '' : lastLinesOf(logOf(folder));
  }

  #folderOf(session: string): string | undefined {
    return this.#home === undefined ? undefined : folderOf(this.#home, bridgeIdOf(session));
  }
}
