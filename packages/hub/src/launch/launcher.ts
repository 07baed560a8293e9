import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@signalbox/protocol';
import type { LaunchableAgent, LaunchSpec, SessionState } from '@signalbox/protocol/hub';
import { agentGrant } from '../auth/permit.ts';
import { BridgeRunningError } from '../bridge/bridge-errors.ts';
import { type FoundBridge, findBridges } from '../bridge/find-bridges.ts';
import { ownerOf } from '../bridge/folder-lock.ts';
import { launchBridge } from '../bridge/launch-bridge.ts';
import { maskCommand } from '../bridge/mask-command.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { Store } from '../store/store.ts';
import { expectAgent, noteEnd } from './agent-life.ts';
import { agentWords, type Conversation } from './agent-words.ts';
import { bridgeIdOf } from './bridge-id.ts';
import { AgentNotFoundError, AgentNotStartedError, FolderNotFoundError } from './launch-errors.ts';
import type { LaunchSetup } from './local-agent.ts';
import { reachedState } from './reached-state.ts';

/** How long an agent may take to answer before the launch is said to be under way; it is not given up then. */
export const START_PATIENCE_MS = 20_000;

/** How long the last process of a bridge may take to leave after its agent has. */
const LEAVING_MS = 10_000;

const LOOK_MS = 20;

/** How a launch is over: the agent has answered, or it never will. */
const SETTLED: readonly SessionState[] = ['idle', 'active', 'asking', 'exited'];

/** What a {@link Launcher} works with. */
export interface LauncherParts {
  store: Store;
  sessions: LiveSessions;
  /** Without it, none are launched. */
  setup: LaunchSetup | undefined;
  /** Where bridges of this machine dial. */
  hub: string;
  onTrouble: (error: unknown, session: string) => void;
}

/** What a launch will run. */
export interface LaunchPlan {
  spec: LaunchSpec;
  /** The program and its first words. */
  command: readonly string[];
  /** What the session says that it runs. */
  title: string;
}

/** Runs agents on this machine, each behind a bridge that outlives the hub. */
export class Launcher {
  readonly #parts: LauncherParts;

  constructor(parts: LauncherParts) {
    this.#parts = parts;
  }

  agents(): Promise<LaunchableAgent[]> {
    const agents = this.#parts.setup?.agents() ?? [];
    return Promise.all(
      agents.map(async ({ name, title, command, path, why, version }) => {
        const isAvailable = command !== null;
        return { name, title, path, version: isAvailable ? await version() : null, isAvailable, why };
      }),
    );
  }

  /** What it takes to run this. Raises `AGENT_NOT_FOUND` or `FOLDER_NOT_FOUND`, and has started nothing then. */
  plan(spec: LaunchSpec): LaunchPlan {
    const setup = this.#setupFor(spec.agent);
    if (!isAbsolute(spec.folder) || !statSync(spec.folder, { throwIfNoEntry: false })?.isDirectory())
      throw new FolderNotFoundError(spec.folder);
    if (spec.agent === 'custom') {
      const command = [...(spec.command ?? []), ...(spec.args ?? [])];
      return { spec, command, title: maskCommand(command).join(' ') };
    }
    const agent = setup.agents().find(({ name }) => name === spec.agent);
    if (!agent?.command) throw new AgentNotFoundError(spec.agent, agent?.why ?? 'this hub does not know it.');
    return { spec, command: agent.command, title: agent.title };
  }

  /**
   * Run the agent of a session. Settles when it has answered, or is taking its time; raises `AGENT_NOT_STARTED` when
   * it has ended before that.
   */
  async start(live: LiveSession, plan: LaunchPlan, conversation: Conversation): Promise<void> {
    const { store, sessions, hub } = this.#parts;
    const { spec, title, command } = plan;
    const setup = this.#setupFor(spec.agent);
    const id = bridgeIdOf(live.id);
    await this.#left(id);
    const { device, token } = await store.devices.add(agentGrant(live.id));
    const before = await store.launches.get(live.id);
    await store.launches.keep(live.id, { spec, device: device.id });
    if (before) await store.devices.revoke(before.device);
    await expectAgent(live, title);
    const settled = reachedState(sessions, live.id, SETTLED, START_PATIENCE_MS);
    const words = spec.agent === 'custom' ? [] : agentWords(spec, conversation);
    const bridge = launchBridge({
      id,
      session: live.id,
      hub,
      token,
      command: [...command, ...words],
      cwd: spec.folder,
      env: spec.env ?? {},
      home: setup.home,
      program: setup.program,
    });
    // A bridge that could not even begin has told nobody.
    const failure = await bridge.then(
      ({ meta }) => meta.failure,
      (error: unknown) => noteEnd(live, messageOf(error)),
    );
    await settled;
    const { state, exit } = live.session;
    if (state === 'exited' || failure !== undefined)
      throw new AgentNotStartedError(live.id, exit?.stderr ?? failure ?? '');
  }

  /** The bridge of a session, if it runs. */
  async running(session: string): Promise<FoundBridge | undefined> {
    const { setup } = this.#parts;
    const bridges = setup ? await findBridges(setup.home) : [];
    return bridges.find(
      // Whoever tidies up behind a bridge owns its folder too, and the id of the dead may be a stranger's by now.
      ({ id, folder, pid }) => id === bridgeIdOf(session) && ownerOf(folder)?.pid === pid,
    );
  }

  #setupFor(agent: string): LaunchSetup {
    const { setup } = this.#parts;
    if (!setup) throw new AgentNotFoundError(agent, 'this hub was started without what launching takes.');
    return setup;
  }

  /** A bridge whose agent is gone tidies up for a moment more. Raises `BRIDGE_RUNNING` when it stays. */
  async #left(id: string): Promise<void> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const bridge = await this.running(id);
      if (!bridge) return;
      if (waited > LEAVING_MS) throw new BridgeRunningError(id, bridge.pid);
      await pause(LOOK_MS);
    }
  }
}
