import { randomUUID } from 'node:crypto';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import {
  type Author,
  type LaunchSpec,
  pagesOf,
  type Terminal,
  type TerminalSize,
} from '@signalbox/protocol/hub';
import type { Conversation } from '../launch/agent-session.ts';
import { screenWords } from '../launch/agent-words.ts';
import type { Launcher, LaunchPlan } from '../launch/launcher.ts';
import { launchHere } from '../launch/launches-here.ts';
import type { TranscriptOnDisk, TranscriptPlace, TranscriptSince } from '../launch/local-agent.ts';
import { newestOf } from '../launch/newest-entry.ts';
import { markLine, viewIn } from '../launch/view-mark.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import { startTerminal, type TerminalStarter } from '../terminals/start-terminal.ts';
import { keepSaidInTerminal } from './said-in-terminal.ts';
import { TranscriptNotFoundError } from './view-errors.ts';

const HUB: Author = { by: 'hub' };

/** Until somebody looks at it. */
const FIRST_SIZE: TerminalSize = { cols: 80, rows: 24 };

/** What {@link AgentTerminals} work with. */
export interface AgentTerminalsParts extends TerminalStarter {
  sessions: LiveSessions;
  launcher: Launcher;
  onTrouble: (error: unknown, session: string) => void;
}

/** How an agent begins in a terminal. */
export interface AgentTerminalStart extends TerminalSize {
  plan: LaunchPlan;
  conversation: Conversation;
  /** What it is told first. */
  prompt?: string | undefined;
}

/** Agents that run in a terminal of their session, with their own screen. */
export class AgentTerminals {
  readonly #parts: AgentTerminalsParts;
  readonly #leaving = new AbortController();

  constructor(parts: AgentTerminalsParts) {
    this.#parts = parts;
  }

  /** Run an agent that has nothing but its own screen, in a session that has none. Raises what terminals raise. */
  async startOwn(live: LiveSession, plan: LaunchPlan): Promise<void> {
    const { spec } = plan;
    const number = this.#parts.terminals.take(live.id);
    const command = [...plan.command, ...(spec.args ?? [])];
    live.note({ state: 'terminal', view: 'terminal-only', agent: plan.title, exit: null, problem: null });
    await this.#run(live, plan, { number, command, ...FIRST_SIZE });
  }

  /** Run the agent of a session that has none; gives the number of its terminal. Raises what terminals raise; the session has ended then. */
  async start(live: LiveSession, author: Author, start: AgentTerminalStart): Promise<number> {
    const { plan, cols, rows, prompt } = start;
    const { terminals } = this.#parts;
    const { spec } = plan;
    // It has to be known which it is, to come back to it.
    const conversation = named(start.conversation);
    const transcript =
      conversation.kind === 'resume' ? await this.transcript(conversation.id, plan) : undefined;
    if (conversation.kind === 'resume' && !transcript) throw new TranscriptNotFoundError(conversation.id);
    const number = terminals.take(live.id);
    const after = transcript?.last ?? null;
    await live.mark(
      markLine({ view: 'terminal', terminal: number, conversation: conversation.id, after }),
      author,
    );
    // Before it runs: a hub that is killed here looks for it when it is back.
    live.note({ state: 'terminal', view: 'to-terminal', agent: plan.title, exit: null, problem: null });
    const words = screenWords(inMode(spec, live.session.mode), conversation, prompt);
    await this.#run(live, plan, { number, command: [...plan.command, ...words], cols, rows });
    live.note({ state: 'terminal', view: 'terminal' });
    return number;
  }

  async #run(
    live: LiveSession,
    { spec, env, view }: LaunchPlan,
    { number, command, cols, rows }: TerminalSize & { number: number; command: readonly string[] },
  ): Promise<void> {
    try {
      const agent = { command, env: { ...env, ...spec.env } };
      await startTerminal(this.#parts, live.id, number, { cols, rows, folder: spec.folder, agent });
    } catch (error) {
      const message = messageOf(error);
      live.noteFailedStart({ code: error instanceof SignalboxError ? error.code : 'INTERNAL', message });
      const exit = { code: null, signal: null, stderr: message };
      live.note({ state: 'exited', view: leftView(view), exit });
      throw error;
    }
  }

  /**
   * End the agent of a session in its terminal, if it still runs, and bring what was said there into the record. The session has
   * ended then. Gives the conversation to go on with.
   */
  async end(live: LiveSession, author: Author, plan: LaunchPlan): Promise<Conversation> {
    const { terminals, store, launcher } = this.#parts;
    const terminal = terminals.ofAgent(live.id);
    const number = terminal?.number ?? 0;
    const mark = await newestOf(store.record, live.id, viewIn);
    const pid = terminal?.state === 'running' ? terminals.shellPid(live.id, number) : undefined;
    // Somebody may have begun or opened another one there.
    const held = pid === undefined ? undefined : await launcher.conversations?.heldBy(pid);
    const ended = terminal?.state === 'running' ? await terminals.hangUp(live.id, number) : terminal;
    if (mark?.view !== 'terminal') {
      // A hub was killed after it had brought all back.
      this.#ended(live, ended);
      return mark?.resume ? resumed(mark.resume) : { kind: 'new' };
    }
    const id = held ?? mark.conversation;
    let problem: string | undefined;
    let transcript: TranscriptOnDisk | undefined;
    try {
      transcript = await this.transcript(id, plan);
      const since = id === mark.conversation ? mark : { ...mark, after: null };
      if (transcript) await this.#bringBack(live, id, plan, since);
      else if (mark.after !== null) problem = `The transcript of conversation ${id} is not there any more.`;
    } catch (error) {
      problem = messageOf(error);
    }
    const resume = transcript ? id : null;
    await live.mark(
      markLine({ view: 'sdk', terminal: number, resume, ...(problem === undefined ? {} : { problem }) }),
      author,
    );
    this.#ended(live, ended);
    if (resume !== null) live.note({ agentSession: resume });
    return resume === null ? { kind: 'new', id } : resumed(id);
  }

  /** End one that has nothing but its own screen. Nobody knows of a conversation there, and its definition may be gone. */
  async endOwn(live: LiveSession): Promise<void> {
    const { terminals } = this.#parts;
    const terminal = terminals.ofAgent(live.id);
    const ended = terminal?.state === 'running' ? await terminals.hangUp(live.id, terminal.number) : terminal;
    this.#ended(live, ended, 'terminal');
  }

  /** What the agent of a session wrote of a conversation. */
  async transcript(id: string, plan: LaunchPlan): Promise<TranscriptOnDisk | undefined> {
    return this.#parts.launcher.conversations?.transcript(id, placeOf(plan));
  }

  async #bringBack(live: LiveSession, id: string, plan: LaunchPlan, since: TranscriptSince): Promise<void> {
    const { launcher, store } = this.#parts;
    await launcher.conversations?.messages(id, placeOf(plan), since, (messages) =>
      keepSaidInTerminal(store.record, live, messages),
    );
  }

  /** Settles when the agent of a session is not in its terminal any more, or `signal` fires. */
  async gone(session: string, signal: AbortSignal): Promise<void> {
    const { terminals } = this.#parts;
    const terminal = terminals.ofAgent(session);
    if (terminal) await terminals.ended(session, terminal.number, signal);
  }

  /** A hub has started: agents that run in a terminal go on there, and of others the end is told. */
  async findAgain(): Promise<void> {
    const { store, sessions, terminals } = this.#parts;
    for await (const page of pagesOf((from) => store.sessions.list({ states: ['terminal'], ...from })))
      for (const { id } of page) {
        if (!(await launchHere(store.launches, id))) continue;
        const terminal = terminals.ofAgent(id);
        await sessions.use(id, (live) => {
          // A hub that was killed over a switch moves it no further, wherever it was; one whose terminal has ended is then told as such.
          if (live.session.view !== 'terminal-only') live.note({ view: 'terminal' });
          this.watch(live, terminal?.number ?? 0);
        });
      }
  }

  /** They go on, and the next hub finds them. */
  close(): void {
    this.#leaving.abort();
  }

  /**
   * Tell the end of an agent in a terminal, which may end by itself or be killed. Whoever ends it on purpose is under way with its
   * session; so is its start, which must be over, or the end of one that has ended already would be taken for somebody else's.
   */
  watch(live: LiveSession, number: number): void {
    const { launcher, store, terminals, onTrouble } = this.#parts;
    const { signal } = this.#leaving;
    const see = async (): Promise<void> => {
      await terminals.ended(live.id, number, signal);
      const isMeant = live.session.state === 'terminal' && !launcher.underWay.has(live.id);
      const launch = await store.launches.get(live.id);
      if (signal.aborted || !isMeant || live.session.view === 'to-sdk' || !launch) return;
      const isOwn = live.session.view === 'terminal-only';
      await launcher.alone(live.id, async () =>
        isOwn ? this.endOwn(live) : void (await this.end(live, HUB, launcher.plan(launch.spec))),
      );
    };
    void live.hold(see().catch((error: unknown) => onTrouble(error, live.id)));
  }

  /** The same of one that has nothing but its own screen. */
  watchOwn(live: LiveSession): void {
    this.watch(live, this.#parts.terminals.ofAgent(live.id)?.number ?? 0);
  }

  #ended(live: LiveSession, terminal: Terminal | undefined, view: LaunchPlan['view'] = 'sdk'): void {
    const { code = null, signal = null } = terminal?.exit ?? {};
    const stderr = terminal?.state === 'exited' && code !== 0 ? this.#lastWords(terminal) : '';
    const exit = { code, signal: signal === null ? null : `signal ${signal}`, stderr };
    live.note({ state: 'exited', view: leftView(view), exit });
  }

  /** What it wrote last, where that may say why it ended. */
  #lastWords({ session, number }: Terminal): string {
    return this.#parts.terminals.lastWords(session, number);
  }
}

function placeOf({ spec, env }: LaunchPlan): TranscriptPlace {
  return { folder: spec.folder, env: { ...env, ...spec.env } };
}

/** The view of a session whose agent has ended. */
function leftView(view: LaunchPlan['view']): 'sdk' | 'terminal-only' {
  return view === 'terminal' ? 'terminal-only' : 'sdk';
}

/** With the mode that the agent is in: on its own it may begin in one that asks less. One that asks nobody has to be launched so. */
function inMode(spec: LaunchSpec, mode: string | null): LaunchSpec {
  return mode === null || mode === 'bypassPermissions' ? spec : { ...spec, mode };
}

function named(conversation: Conversation): Conversation & { id: string } {
  return { ...conversation, id: conversation.id ?? randomUUID() };
}

function resumed(id: string): Conversation {
  return { kind: 'resume', id, isFork: false };
}
