import { randomUUID } from 'node:crypto';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import {
  type Author,
  type LaunchableAgents,
  type LaunchSpec,
  type NewSession,
  pagesOf,
  type Scope,
  type Session,
  type SessionFacts,
  type SessionLoop,
  type StoredConversation,
} from '@signalbox/protocol/hub';
import { realPath } from '@signalbox/transport/real-path';
import { agentGrant, authorOf } from '../auth/identity.ts';
import type { AgentKeeper } from '../launch/agent-keeper.ts';
import { type Conversation, newConversation } from '../launch/agent-session.ts';
import { LaunchElsewhereError, NotLaunchedError, TerminalOnlyError } from '../launch/launch-errors.ts';
import type { Launcher, LaunchPlan } from '../launch/launcher.ts';
import { restartOf } from '../launch/restart-plan.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import { BudgetReachedError } from '../spend/budget-errors.ts';
import { standingWords } from '../spend/budget-words.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { AgentTerminals } from '../views/agent-terminals.ts';
import { AgentInTerminalError } from '../views/view-errors.ts';
import type { ViewSwitcher } from '../views/view-switcher.ts';
import type { MadeWorktree, Worktrees } from '../worktrees/worktrees.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';
import type { SessionConversations } from './session-conversations.ts';

/** How many conversations are listed unless it is said. */
const PAGE_LIMIT = 50;

/** The client id of the prompt that comes with a launch. */
const LAUNCH_PROMPT = 'launch';

/** A session with an agent that is to be run for it. */
export type NewLaunch = NewSession & { launch: LaunchSpec; loop?: SessionLoop };

/** Agents in terminals, and what moves them there and back. */
export interface Views {
  agents: AgentTerminals;
  switcher: ViewSwitcher;
}

/** What a {@link LaunchService} works with. */
export interface LaunchServiceParts {
  store: Store;
  sessions: LiveSessions;
  launcher: Launcher;
  keeper: AgentKeeper;
  /** Undefined where no agents are launched. */
  worktrees: Worktrees | undefined;
  decisions: Decisions;
  conversations: SessionConversations;
  /** Undefined where there are no terminals. */
  views: Views | undefined;
  ledger: Ledger;
  /** Somebody wants the agent of a session to end, and not to be started again. */
  onEnding?: (live: LiveSession) => void;
  onTrouble: (error: unknown, session: string) => void;
}

/** What people do about the agents of this machine. */
export class LaunchService {
  readonly #parts: LaunchServiceParts;

  constructor(parts: LaunchServiceParts) {
    this.#parts = parts;
  }

  async agents(by: Device): Promise<LaunchableAgents> {
    permit(by, 'watch');
    return this.#parts.launcher.agents();
  }

  /** What agents left on this machine, newest first, with the session that has taken it up. */
  async conversations(
    by: Device,
    { folder, limit = PAGE_LIMIT }: { folder?: string; limit?: number },
  ): Promise<StoredConversation[]> {
    permit(by, 'drive');
    const { store, launcher } = this.#parts;
    const items = (await launcher.conversations?.list({ limit, ...(folder ? { folder } : {}) })) ?? [];
    const sessions = new Map<string, string>();
    for await (const page of pagesOf((from) => store.sessions.list(from)))
      for (const { id, agentSession } of page)
        if (agentSession !== null && !sessions.has(agentSession)) sessions.set(agentSession, id);
    return items.map((item) => ({ ...item, session: sessions.get(item.id) ?? null }));
  }

  /** `begunAt` is that of a request that comes again. */
  async create(by: Device, { id = randomUUID(), ...rest }: NewLaunch, begunAt?: number): Promise<Session> {
    permit(by, scopeFor(rest.launch), id);
    const conversation = await this.#parts.conversations.asked(by, id, rest.launch);
    return this.launch(authorOf(by), { id, ...rest }, conversation, begunAt);
  }

  /** Make a session and run its agent. One that did not start stays, so that it can be seen why. */
  async launch(
    author: Author,
    { id = randomUUID(), title, launch, loop }: NewLaunch,
    conversation: Conversation = newConversation(id),
    begunAt?: number,
  ): Promise<Session> {
    const { launcher, sessions, store, worktrees } = this.#parts;
    const { worktree, ...asked } = launch;
    const planned = launcher.plan(asked);
    if (asked.prompt !== undefined && !(await sessions.madeSince(id, begunAt)))
      this.#assertBudget(id, planned);
    const words = title ?? asked.prompt ?? id;
    const made = worktree && (await worktrees?.make(id, planned.spec.folder, worktree, words));
    // From here on it is a folder like any other: whoever starts the agent again starts it there.
    const origin = planned.spec.folder;
    const plan = made ? { ...planned, spec: { ...planned.spec, folder: made.folder, origin } } : planned;
    const { folder, model = null, mode = null, prompt } = plan.spec;
    const known = { title: title ?? null, folder, model, mode, agent: plan.title };
    const view = plan.view === 'terminal' ? ('terminal-only' as const) : ('sdk' as const);
    const facts = { ...known, isLaunched: true, loop: loop ?? null, view, restart: restartOf(plan.spec) };
    await this.#create(id, facts, begunAt, made);
    return sessions.use(id, async (live) => {
      // Kept before an agent is run: whatever became of it, it is not run a second time.
      if (await store.launches.get(id)) return launcher.settled(live);
      const profile = launch.profile === undefined ? [] : [`profile ${launch.profile}`];
      const subject = [launch.agent, ...(mode === null ? [] : [mode]), ...profile].join(', ');
      await this.#parts.decisions.keep(author, { what: 'launch', session: id, subject });
      // Before the agent is there: however long that takes, what it was meant to do is not lost.
      if (prompt !== undefined)
        await live.admit({ clientId: LAUNCH_PROMPT, author, content: prompt, delivery: 'queue' });
      await this.#start(live, plan, async () => conversation);
      return live.session;
    });
  }

  async stop(by: Device, id: string): Promise<Session> {
    permit(by, 'drive', id);
    return this.#parts.sessions.use(id, async (live) => {
      await this.#parts.decisions.keep(authorOf(by), { what: 'stop', session: id });
      this.#parts.onEnding?.(live);
      await this.#stop(live, authorOf(by));
      return live.session;
    });
  }

  async restart(by: Device, id: string): Promise<Session> {
    permit(by, 'drive', id);
    return this.restartFor(authorOf(by), id, (spec) => this.#parts.conversations.last(by, id, spec));
  }

  /** The same again, with the conversation that there was. */
  async restartFor(
    author: Author,
    id: string,
    conversation: (spec: LaunchSpec) => Promise<Conversation> = () => this.#parts.conversations.said(id),
  ): Promise<Session> {
    const { store, sessions, launcher, views } = this.#parts;
    return sessions.use(id, async (live) => {
      const launch = await store.launches.get(id);
      if (!launch) throw new NotLaunchedError(id);
      const { state, view, agent } = live.session;
      if (state === 'terminal' && view === 'terminal-only')
        throw new TerminalOnlyError(agent ?? id, 'it runs already, and is not cut off unasked');
      if (state === 'terminal') throw new AgentInTerminalError(id, view);
      views?.switcher.cancel(id);
      const plan = launcher.plan(launch.spec);
      await this.#parts.decisions.keep(author, { what: 'restart', session: id });
      await this.#start(live, plan, async () => {
        await this.#stop(live, author);
        // What a person starts begins to count anew.
        if (author.by === 'person') live.note({ restart: restartOf(launch.spec) });
        return conversation(launch.spec);
      });
      return live.session;
    });
  }

  /**
   * Start the ended agent of a session again for a prompt that waits for it. Settles when the session is starting, and does
   * nothing where an agent runs, is being started, or was not launched by this hub. A failure is told in the session, where
   * the prompt stays.
   */
  async resumeFor(by: Device, live: LiveSession): Promise<void> {
    const { store, launcher } = this.#parts;
    const { id } = live;
    if (live.session.state !== 'exited') return;
    const launch = await store.launches.get(id).catch((error: unknown) => {
      if (!(error instanceof LaunchElsewhereError)) throw error;
      // The prompt was taken, and waits for an agent that only another node can start.
      live.noteFailedStart(error);
      return undefined;
    });
    // Two prompts at once start one agent.
    if (!launch || live.session.state !== 'exited' || launcher.underWay.has(id)) return;
    // Whoever asks for the session after the prompt was answered sees that its agent is on its way.
    live.note({ state: 'starting', exit: null, restart: restartOf(launch.spec) });
    const started = launcher
      .alone(id, async () => {
        const plan = launcher.plan(launch.spec);
        await this.#parts.decisions.keep(authorOf(by), {
          what: 'restart',
          session: id,
          subject: 'for a prompt',
        });
        await this.#parts.worktrees?.setUp(id);
        await launcher.start(live, plan, await this.#parts.conversations.last(by, id, launch.spec));
      })
      .catch((error: unknown) => this.#tellFailure(live, error));
    void live.hold(started);
  }

  #tellFailure(live: LiveSession, error: unknown): void {
    this.#parts.onTrouble(error, live.id);
    // An agent that has ended at once has told why.
    if (live.session.state === 'exited') return;
    const message = messageOf(error);
    live.noteFailedStart({ code: error instanceof SignalboxError ? error.code : 'INTERNAL', message });
    live.note({ state: 'exited', exit: { code: null, signal: null, stderr: message } });
  }

  /** End the agent of a session for the hub itself; one that is not there, or was never launched, has ended. */
  async end(id: string): Promise<void> {
    const { store, sessions } = this.#parts;
    if (!(await store.launches.get(id))) return;
    await sessions.use(id, (live) => {
      this.#parts.onEnding?.(live);
      return this.#stop(live, { by: 'hub' });
    });
  }

  async #stop(live: LiveSession, author: Author): Promise<void> {
    const { launcher, keeper, views, store, worktrees } = this.#parts;
    worktrees?.stopSetup(live.id);
    views?.switcher.cancel(live.id);
    const launch = live.session.state === 'terminal' ? await store.launches.get(live.id) : undefined;
    if (views && launch && live.session.view === 'terminal-only')
      return launcher.alone(live.id, () => views.agents.endOwn(live));
    if (views && launch) {
      const plan = launcher.plan(launch.spec);
      return void (await launcher.alone(live.id, () => views.agents.end(live, author, plan)));
    }
    const isInReach = live.isConnected || launcher.bridges.running(live.id) !== undefined;
    if (live.session.state !== 'exited' && isInReach) live.noteStop(author);
    await keeper.stop(live);
  }

  /** Nothing is made that could do nothing. Raises `BUDGET_REACHED`. */
  #assertBudget(session: string, { spec }: LaunchPlan): void {
    const standing = this.#parts.ledger.standingOf({ session, folder: realPath(spec.folder) });
    if (standing?.state === 'reached') throw new BudgetReachedError(standingWords(standing));
  }

  /** A session with the worktree that was made for it; one that cannot be made leaves none. */
  async #create(
    id: string,
    facts: Partial<SessionFacts>,
    begunAt: number | undefined,
    made: MadeWorktree | undefined,
  ): Promise<void> {
    const { sessions, worktrees } = this.#parts;
    try {
      await sessions.create(id, facts, begunAt);
      if (made) worktrees?.keep(made.record);
    } catch (error) {
      if (made) await worktrees?.discard(made.record);
      throw error;
    }
  }

  /**
   * Run the agent of a session. A set-up that comes first may take long: it is not waited for, and when it fails that is told
   * in the session.
   */
  async #start(
    live: LiveSession,
    plan: LaunchPlan,
    conversation: () => Promise<Conversation>,
  ): Promise<void> {
    const { store, launcher, worktrees } = this.#parts;
    const { id } = live;
    if (!worktrees?.hasSetup(id)) {
      await launcher.alone(id, async () => this.#run(live, plan, await conversation()));
      return this.#watch(live, plan);
    }
    // Before the set-up runs: after a kill it is known how the agent is started.
    if (!(await store.launches.get(id))) await this.#keepLaunch(id, plan);
    const started = launcher
      .alone(id, async () => {
        const said = await conversation();
        live.note({ state: 'starting', exit: null });
        await worktrees.setUp(id);
        await this.#run(live, plan, said);
      })
      .then(() => this.#watch(live, plan));
    void live.hold(started.catch((error: unknown) => this.#tellFailure(live, error)));
  }

  /** Run the agent of a session, in the view that it has. */
  async #run(live: LiveSession, plan: LaunchPlan, conversation: Conversation): Promise<void> {
    const { launcher, views } = this.#parts;
    if (plan.view === 'sdk' || !views) return launcher.start(live, plan, conversation);
    await this.#keepLaunch(live.id, plan);
    await views.agents.startOwn(live, plan);
  }

  /** The end of an agent in a terminal is told once its start is over. */
  #watch(live: LiveSession, plan: LaunchPlan): void {
    if (plan.view === 'terminal') this.#parts.views?.agents.watchOwn(live);
  }

  /** How its agent is started, for after a restart. No agent dials in with the token. */
  async #keepLaunch(id: string, { spec }: LaunchPlan): Promise<void> {
    const { store } = this.#parts;
    const { device } = await store.devices.add(agentGrant(id));
    await store.launches.keep(id, { spec, device: device.id });
  }
}

/** One who may drive agents may not thereby run any program, nor one that asks nobody. */
function scopeFor({ agent, args, env, mode }: LaunchSpec): Scope {
  const isFree =
    agent === 'custom' || args !== undefined || env !== undefined || mode === 'bypassPermissions';
  return isFree ? 'admin' : 'drive';
}
