import { messageOf } from '@signalbox/protocol';
import type { LaunchableAgents, LaunchSpec, Session, SessionState } from '@signalbox/protocol/hub';
import { agentGrant } from '../auth/identity.ts';
import { BridgeRunningError } from '../bridge/bridge-errors.ts';
import { launchBridge } from '../bridge/launch-bridge.ts';
import { maskCommand } from '../bridge/mask-command.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Store } from '../store/store.ts';
import { expectAgent, noteEnd } from './agent-life.ts';
import type { Conversation } from './agent-session.ts';
import { agentWords } from './agent-words.ts';
import { bridgeIdOf } from './bridge-id.ts';
import { BridgeProcesses } from './bridge-processes.ts';
import {
  AgentNotFoundError,
  AgentNotStartedError,
  LaunchUnderWayError,
  TerminalOnlyError,
} from './launch-errors.ts';
import { launchFolder } from './launch-folder.ts';
import type { ConversationFiles, LaunchSetup } from './local-agent.ts';
import { reachedState } from './reached-state.ts';

/** How long a bridge may take to reach the hub. An agent that is slow to answer is not given up then. */
export const START_PATIENCE_MS = 20_000;

/** How long an agent may take to end, SIGTERM and SIGKILL included. */
export const STOP_PATIENCE_MS = 20_000;

/** How long the last process of a bridge may take to leave after its agent has. */
const LEAVING_MS = 10_000;

/** How a launch is over: the agent has answered, or it never will. */
const SETTLED: readonly SessionState[] = ['idle', 'active', 'asking', 'terminal', 'exited'];

/** What a {@link Launcher} works with. */
export interface LauncherParts {
  store: Store;
  sessions: LiveSessions;
  /** Without it, none are launched. */
  setup: LaunchSetup | undefined;
  /** Where the hub listens, for people who look at a bridge. */
  hub: string;
  onTrouble: (error: unknown, session: string) => void;
  /** Makes a token good for nothing, and cuts what it holds open. */
  revoke: (device: string) => Promise<void>;
  /** Variables that are kept under a name; raises an error for one that is not there. */
  profiles?: { variables: (name: string) => Readonly<Record<string, string>> } | undefined;
  /** An agent is about to be started. */
  onStarting?: (session: Session) => void;
  startPatienceMs?: number;
  stopPatienceMs?: number;
}

/** What a launch will run. */
export interface LaunchPlan {
  /** As it was asked for, with the whole path of its folder. */
  spec: LaunchSpec;
  /** The program and its first words. */
  command: readonly string[];
  /** What the session says that it runs. */
  title: string;
  /** Variables that all its agents of this kind get. */
  env: Readonly<Record<string, string>>;
  /** Where it begins; one that begins in a terminal stays there. */
  view: 'sdk' | 'terminal';
}

/** What is said to an agent over the SDK, or in words of its command line that only agents of the SDK know. */
const OF_THE_SDK = [
  'prompt',
  'model',
  'mode',
  'tools',
  'allowedTools',
  'disallowedTools',
  'resume',
  'fork',
  'restart',
] as const;

/** Files can be put back to what they were before a prompt. */
const WITH_CHECKPOINTS = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' };

/** Runs agents on this machine, each behind a bridge that outlives the hub. */
export class Launcher {
  readonly #parts: LauncherParts;
  /** Sessions whose agent is being launched: that nothing runs yet does not mean that it is gone. */
  readonly underWay = new Set<string>();

  readonly bridges: BridgeProcesses;

  constructor(parts: LauncherParts) {
    this.#parts = parts;
    this.bridges = new BridgeProcesses(parts.setup?.home);
  }

  async agents(): Promise<LaunchableAgents> {
    const { setup } = this.#parts;
    const items = await Promise.all(
      (setup?.agents() ?? []).map(async ({ name, title, command, path, why, version, view = 'sdk' }) => {
        const isAvailable = command !== null;
        return { name, title, path, version: isAvailable ? await version() : null, isAvailable, why, view };
      }),
    );
    return { items, ...(setup?.dialIn === undefined ? {} : { dialIn: setup.dialIn }) };
  }

  /** What agents left on this machine; undefined where nobody looks. */
  get conversations(): ConversationFiles | undefined {
    return this.#parts.setup?.conversations;
  }

  /**
   * What it takes to run this. Raises `AGENT_NOT_FOUND`, `AGENT_TERMINAL_ONLY` or `FOLDER_NOT_FOUND`, and has started nothing
   * then.
   */
  plan(asked: LaunchSpec): LaunchPlan {
    const setup = this.#setupFor(asked.agent);
    const spec = { ...asked, folder: launchFolder(asked.folder) };
    if (spec.agent === 'custom') {
      const command = [...(spec.command ?? []), ...(spec.args ?? [])];
      const title = maskCommand(command).join(' ');
      return { spec, command, title, env: this.#profileOf(spec), view: 'sdk' };
    }
    const agent = setup.agents().find(({ name }) => name === spec.agent);
    if (!agent?.command)
      throw new AgentNotFoundError(spec.agent, agent?.why ?? `this hub knows ${knownNames(setup)}.`);
    const { command, title, env = {}, view = 'sdk' } = agent;
    const unfit = view === 'terminal' ? OF_THE_SDK.filter((name) => spec[name] !== undefined) : [];
    if (unfit.length > 0) throw new TerminalOnlyError(title, `it takes no ${unfit.join(', ')}`);
    return { spec, command, title, env: { ...env, ...this.#profileOf(spec) }, view };
  }

  /**
   * Run the agent of a session. Settles when it has answered, or is taking its time; raises `AGENT_NOT_STARTED` when
   * it has ended before that, or its bridge does not reach the hub.
   */
  async start(live: LiveSession, plan: LaunchPlan, conversation: Conversation): Promise<void> {
    const { store, hub } = this.#parts;
    const { spec, title, command, env } = plan;
    const setup = this.#setupFor(spec.agent);
    const id = bridgeIdOf(live.id);
    const earlier = await this.bridges.stillRunning(live.id, LEAVING_MS);
    if (earlier) throw new BridgeRunningError(id, earlier.pid);
    const { device, token } = await store.devices.add(agentGrant(live.id));
    const before = await store.launches.get(live.id);
    await store.launches.keep(live.id, { spec, device: device.id });
    if (before) await this.#parts.revoke(before.device);
    await expectAgent(live, title);
    this.#parts.onStarting?.({ ...live.session, folder: spec.folder });
    const words = spec.agent === 'custom' ? [] : agentWords(spec, conversation);
    const bridge = launchBridge({
      id,
      session: live.id,
      hub,
      isLocal: true,
      token,
      command: [...command, ...words],
      cwd: spec.folder,
      env: { ...(spec.agent === 'custom' ? {} : WITH_CHECKPOINTS), ...env, ...spec.env },
      home: setup.home,
      program: setup.program,
    });
    // A bridge that could not even begin has told nobody.
    const failure = await bridge.then(
      ({ meta, process }) => {
        this.bridges.started(live.id, process);
        return meta.failure;
      },
      (error: unknown) => noteEnd(live, messageOf(error)),
    );
    await this.settled(live);
    if (live.session.state === 'starting' && !live.isConnected) await this.#giveUp(live);
    const { state, exit } = live.session;
    if (state === 'exited' || failure !== undefined)
      throw new AgentNotStartedError(live.id, exit?.stderr ?? failure ?? '');
  }

  /** Two launches of one session would each take the other's agent for its own. Raises `LAUNCH_UNDER_WAY`. */
  async alone<Outcome>(id: string, work: () => Promise<Outcome>): Promise<Outcome> {
    if (this.underWay.has(id)) throw new LaunchUnderWayError(id);
    this.underWay.add(id);
    try {
      return await work();
    } finally {
      this.underWay.delete(id);
    }
  }

  /** The session of an agent that was run, by a hub before this one perhaps, once it is known what became of it. */
  async settled(live: LiveSession): Promise<Session> {
    const { sessions, startPatienceMs = START_PATIENCE_MS } = this.#parts;
    if (!SETTLED.includes(live.session.state))
      await reachedState(sessions, live.id, SETTLED, startPatienceMs);
    return live.session;
  }

  /** Nobody would see what an agent does whose bridge does not reach the hub. */
  async #giveUp(live: LiveSession): Promise<void> {
    const words = this.bridges.lastWords(live.id);
    await this.bridges.end(live.id, this.#parts.stopPatienceMs ?? STOP_PATIENCE_MS);
    // It was heard at last.
    if (live.session.state !== 'starting') return;
    noteEnd(live, `Its bridge did not reach the hub. ${words}`);
    this.#parts.onTrouble(new AgentNotStartedError(live.id, words), live.id);
  }

  #profileOf({ profile }: LaunchSpec): Readonly<Record<string, string>> {
    return profile === undefined ? {} : (this.#parts.profiles?.variables(profile) ?? {});
  }

  #setupFor(agent: string): LaunchSetup {
    const { setup } = this.#parts;
    if (!setup) throw new AgentNotFoundError(agent, 'this hub was started without what launching takes.');
    return setup;
  }
}

function knownNames(setup: LaunchSetup): string {
  return [...setup.agents().map(({ name }) => name), 'custom'].join(', ');
}
