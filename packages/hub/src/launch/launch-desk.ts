import { randomUUID } from 'node:crypto';
import type { Author, LaunchableAgents, LaunchSpec, NewSession, Session } from '@signalbox/protocol/hub';
import { authorOf, permit } from '../auth/permit.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { Log } from '../log/log.ts';
import type { Device, Scope } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { AgentKeeper } from './agent-keeper.ts';
import { agentSessionOf, isConversation } from './agent-session.ts';
import type { Conversation } from './agent-words.ts';
import { LaunchUnderWayError, NothingToResumeError, NotLaunchedError } from './launch-errors.ts';
import type { Launcher } from './launcher.ts';

/** The client id of the prompt that comes with a launch. */
const LAUNCH_PROMPT = 'launch';

/** A session with an agent that is to be run for it. */
export type NewLaunch = NewSession & { launch: LaunchSpec };

/** What a {@link LaunchDesk} works with. */
export interface LaunchDeskParts {
  store: Store;
  sessions: LiveSessions;
  launcher: Launcher;
  keeper: AgentKeeper;
  log: Log;
}

/** What people can do about the agents of this machine: who may do it is decided here, once. */
export class LaunchDesk {
  readonly #parts: LaunchDeskParts;

  constructor(parts: LaunchDeskParts) {
    this.#parts = parts;
  }

  async agents(by: Device): Promise<LaunchableAgents> {
    permit(by, 'watch');
    return this.#parts.launcher.agents();
  }

  /** `begunAt` is that of a request that comes again. */
  async create(by: Device, { id = randomUUID(), ...rest }: NewLaunch, begunAt?: number): Promise<Session> {
    permit(by, scopeFor(rest.launch), id);
    const conversation = await this.#conversation(by, id, rest.launch);
    return this.launch(authorOf(by), { id, ...rest }, conversation, begunAt);
  }

  /** Make a session and run its agent. One that did not start stays, so that it can be seen why. */
  async launch(
    author: Author,
    { id = randomUUID(), title, launch }: NewLaunch,
    conversation: Conversation = newConversation(id),
    begunAt?: number,
  ): Promise<Session> {
    const { launcher, sessions, store } = this.#parts;
    const plan = launcher.plan(launch);
    const { folder, model = null, mode = null, prompt } = plan.spec;
    const facts = { title: title ?? null, folder, model, mode, agent: plan.title };
    const live = await sessions.create(id, facts, begunAt);
    // Kept before an agent is run: whatever became of it, it is not run a second time.
    if (await store.launches.get(id)) return launcher.settled(live);
    await this.#decided(author, 'launch', id, [launch.agent, ...(mode === null ? [] : [mode])].join(', '));
    // Before the agent is there: however long that takes, what it was meant to do is not lost.
    if (prompt !== undefined)
      await live.admit({ clientId: LAUNCH_PROMPT, author, content: prompt, delivery: 'queue' });
    await this.#alone(id, () => launcher.start(live, plan, conversation));
    return live.session;
  }

  async stop(by: Device, id: string): Promise<Session> {
    permit(by, 'drive', id);
    const live = await this.#parts.sessions.get(id);
    await this.#decided(authorOf(by), 'stop', id);
    await this.#stop(live, authorOf(by));
    return live.session;
  }

  /** The same again, with the conversation that there was. */
  async restart(by: Device, id: string): Promise<Session> {
    permit(by, 'drive', id);
    const { store, sessions, launcher } = this.#parts;
    const live = await sessions.get(id);
    const launch = await store.launches.get(id);
    if (!launch) throw new NotLaunchedError(id);
    const plan = launcher.plan(launch.spec);
    await this.#decided(authorOf(by), 'restart', id);
    await this.#alone(id, async () => {
      await this.#stop(live, authorOf(by));
      const said = await agentSessionOf(store.record, id);
      const conversation: Conversation = said
        ? { kind: 'resume', id: said, isFork: false }
        : await this.#conversation(by, id, launch.spec);
      await launcher.start(live, plan, conversation);
    });
    return live.session;
  }

  async #stop(live: LiveSession, author: Author): Promise<void> {
    const { launcher, keeper } = this.#parts;
    const isInReach = live.isConnected || launcher.bridges.running(live.id) !== undefined;
    if (live.session.state !== 'exited' && isInReach) live.noteStop(author);
    await keeper.stop(live);
  }

  /** Two launches of one session would each take the other's agent for its own. */
  async #alone(id: string, work: () => Promise<void>): Promise<void> {
    const { underWay } = this.#parts.launcher;
    if (underWay.has(id)) throw new LaunchUnderWayError(id);
    underWay.add(id);
    try {
      await work();
    } finally {
      underWay.delete(id);
    }
  }

  /** A session of the hub stands for what its agent calls it; an agent's own may be anybody's. */
  async #conversation(by: Device, id: string, { resume, fork = false }: LaunchSpec): Promise<Conversation> {
    if (resume === undefined) return newConversation(id);
    const { store } = this.#parts;
    const isOfHub = (await store.sessions.get(resume)) !== undefined;
    if (isOfHub) permit(by, 'watch', resume);
    else permit(by, 'drive');
    const said = isOfHub ? await agentSessionOf(store.record, resume) : resume;
    if (!isConversation(said)) throw new NothingToResumeError(resume);
    return { kind: 'resume', id: said, isFork: fork };
  }

  async #decided(
    author: Author,
    what: string,
    session: string,
    subject: string | null = null,
  ): Promise<void> {
    const { store, log } = this.#parts;
    await store.audit.add({ session, subject, author, what, why: null });
    log.decision(author, { what, session, subject });
  }
}

function newConversation(id: string): Conversation {
  return isConversation(id) ? { kind: 'new', id } : { kind: 'new' };
}

/** One who may drive agents may not thereby run any program, nor one that asks nobody. */
function scopeFor({ agent, args, env, mode }: LaunchSpec): Scope {
  const isFree =
    agent === 'custom' || args !== undefined || env !== undefined || mode === 'bypassPermissions';
  return isFree ? 'admin' : 'drive';
}
