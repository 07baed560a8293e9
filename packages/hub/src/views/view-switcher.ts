import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import type { Author, NewView } from '@signalbox/protocol/hub';
import type { AgentKeeper } from '../launch/agent-keeper.ts';
import { agentSessionOf, type Conversation } from '../launch/agent-session.ts';
import { NotLaunchedError, TerminalOnlyError } from '../launch/launch-errors.ts';
import type { LaunchPlan } from '../launch/launcher.ts';
import { newestOf } from '../launch/newest-entry.ts';
import { viewIn } from '../launch/view-mark.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import { AgentNotConnectedError } from '../sessions/session-errors.ts';
import type { AgentTerminals, AgentTerminalsParts } from './agent-terminals.ts';
import { TranscriptNotFoundError, ViewUnchangedError, ViewUnknownError } from './view-errors.ts';

/** How often it is looked whether the turn of an agent in a terminal has ended. */
const LOOK_MS = 500;

/** What a {@link ViewSwitcher} works with. */
export interface ViewSwitcherParts extends AgentTerminalsParts {
  keeper: AgentKeeper;
  agents: AgentTerminals;
}

/** What somebody asked for, and which conversation the agent goes on with then. */
export interface ViewChange extends NewView {
  author: Author;
  conversation: (plan: LaunchPlan) => Promise<Conversation>;
}

/** A switch that is under way: until its turn has ended, somebody may think better of it, or not want to wait. */
interface Switch {
  to: NewView['view'];
  state: 'waiting' | 'moving';
  readonly cancelled: AbortController;
  readonly hurried: AbortController;
}

/** Moves the conversation of a session from the SDK to a terminal and back. At any time one process has it. */
export class ViewSwitcher {
  readonly #parts: ViewSwitcherParts;
  readonly #switches = new Map<string, Switch>();

  constructor(parts: ViewSwitcherParts) {
    this.#parts = parts;
  }

  /**
   * Settles when the conversation has moved, or as soon as it has to wait for the end of a turn: what becomes of it is then told by
   * the session. Raises `VIEW_UNCHANGED` where somebody else was first, and what the starts of agents and terminals raise.
   */
  async change(live: LiveSession, change: ViewChange): Promise<void> {
    const { id, session } = live;
    const { view, now = false } = change;
    const before = this.#switches.get(id);
    if (before) return this.#amend(id, before, session.view, change);
    if (session.view === view) throw new ViewUnchangedError(id, session.view);
    const under: Switch = {
      to: view,
      state: 'waiting',
      cancelled: new AbortController(),
      hurried: new AbortController(),
    };
    if (now) under.hurried.abort();
    this.#switches.set(id, under);
    await new Promise<void>((resolve, reject) => {
      let isAnswered = false;
      const answer = (): void => {
        isAnswered = true;
        resolve();
      };
      const moved = this.#move(live, under, change, answer)
        .finally(() => this.#switches.delete(id))
        .then(answer, (error: unknown) => (isAnswered ? this.#tell(live, error) : reject(error)));
      void live.hold(moved);
    });
  }

  /** Somebody ends the agent: it goes nowhere any more. */
  cancel(id: string): void {
    this.#switches.get(id)?.cancelled.abort();
  }

  #amend(id: string, before: Switch, view: LiveSession['session']['view'], change: ViewChange): void {
    const isOpen = before.state === 'waiting';
    if (isOpen && before.to !== change.view) before.cancelled.abort();
    else if (isOpen && change.now && !before.hurried.signal.aborted) before.hurried.abort();
    else throw new ViewUnchangedError(id, view);
  }

  async #move(live: LiveSession, under: Switch, change: ViewChange, onWait: () => void): Promise<void> {
    const launch = await this.#parts.store.launches.get(live.id);
    if (!launch) throw new NotLaunchedError(live.id);
    if (launch.spec.agent === 'custom')
      throw new ViewUnknownError(
        live.id,
        'it runs a command of its own, of which nobody knows how it resumes.',
      );
    if (live.session.loop !== null)
      throw new ViewUnknownError(
        live.id,
        'a loop runs it. Begin a session of your own with its conversation.',
      );
    const plan = this.#parts.launcher.plan(launch.spec);
    if (plan.view === 'terminal') throw new TerminalOnlyError(plan.title, 'it has no other view');
    if (under.to === 'terminal') await this.#toTerminal(live, under, { ...change, plan }, onWait);
    else await this.#toSdk(live, under, { ...change, plan }, onWait);
  }

  async #toTerminal(
    live: LiveSession,
    under: Switch,
    { author, conversation, plan, cols, rows }: ViewChange & { plan: LaunchPlan },
    onWait: () => void,
  ): Promise<void> {
    const { launcher, keeper, agents, store } = this.#parts;
    if (live.session.state === 'disconnected') throw new AgentNotConnectedError(live.id);
    live.note({ view: 'to-terminal' });
    try {
      if (!(await this.#turnEnded(live, under, onWait))) return void live.note({ view: 'sdk' });
      under.state = 'moving';
      const number = await launcher.alone(live.id, async () => {
        const said = await agentSessionOf(store.record, live.id);
        // Before anything is ended: an agent that could not go on is left as it is.
        if (said !== undefined && !(await agents.transcript(said, plan)))
          throw new TranscriptNotFoundError(said);
        if (live.session.state !== 'exited') {
          live.noteStop(author);
          await keeper.stop(live);
        }
        return agents.start(live, author, { plan, conversation: await conversation(plan), cols, rows });
      });
      agents.watch(live, number);
    } catch (error) {
      live.note({ view: 'sdk' });
      throw error;
    }
  }

  async #toSdk(
    live: LiveSession,
    under: Switch,
    { author, plan }: ViewChange & { plan: LaunchPlan },
    onWait: () => void,
  ): Promise<void> {
    const { launcher, agents } = this.#parts;
    live.note({ view: 'to-sdk' });
    if (!(await this.#terminalTurnEnded(live, under, plan, onWait)))
      return void live.note({ view: 'terminal' });
    under.state = 'moving';
    await launcher.alone(live.id, async () => {
      const conversation = await agents.end(live, author, plan);
      await launcher.start(live, plan, conversation);
    });
  }

  /** False when it was cancelled. A prompt that is on its way to the agent begins a turn. */
  async #turnEnded(live: LiveSession, { cancelled, hurried }: Switch, onWait: () => void): Promise<boolean> {
    const { sessions, store } = this.#parts;
    const isOver = async (): Promise<boolean> => {
      const { state } = live.session;
      if (state !== 'idle' && state !== 'exited') return false;
      return (await store.inbox.list(live.id)).every((prompt) => prompt.state !== 'taken');
    };
    let changed = (): void => {};
    const stop = sessions.onSession(({ id }) => {
      if (id === live.id) changed();
    });
    for (const { signal } of [cancelled, hurried]) signal.addEventListener('abort', () => changed());
    try {
      for (;;) {
        const next = new Promise<void>((resolve) => {
          changed = resolve;
        });
        if (cancelled.signal.aborted) return false;
        if (hurried.signal.aborted || (await isOver())) return true;
        onWait();
        await next;
      }
    } finally {
      stop();
    }
  }

  /** The same of a turn in a terminal, which is known by its transcript alone: what is said twice in a row is believed. */
  async #terminalTurnEnded(
    live: LiveSession,
    { cancelled, hurried }: Switch,
    plan: LaunchPlan,
    onWait: () => void,
  ): Promise<boolean> {
    const { agents, store } = this.#parts;
    const mark = await newestOf(store.record, live.id, viewIn);
    const id = mark?.view === 'terminal' ? mark.conversation : undefined;
    const stopWaiting = AbortSignal.any([cancelled.signal, hurried.signal]);
    const gone = new AbortController();
    const over = AbortSignal.any([stopWaiting, gone.signal]);
    void agents.gone(live.id, stopWaiting).then(() => gone.abort());
    let quiet = 0;
    while (!over.aborted && quiet < 2) {
      const transcript = id === undefined ? undefined : await agents.transcript(id, plan);
      quiet = transcript?.isTurnOver === false ? 0 : quiet + 1;
      if (quiet === 0) onWait();
      if (quiet < 2) await pause(LOOK_MS, undefined, { signal: over }).catch(() => {});
    }
    return !cancelled.signal.aborted;
  }

  /** Nobody waits for an answer any more: the record says what became of it. */
  #tell(live: LiveSession, error: unknown): void {
    this.#parts.onTrouble(error, live.id);
    live.noteFailedStart({
      code: error instanceof SignalboxError ? error.code : 'INTERNAL',
      message: messageOf(error),
    });
  }
}
