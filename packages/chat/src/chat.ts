import { randomUUID } from 'node:crypto';
import {
  type AgentMessage,
  type InitializeResponse,
  messageOf,
  type PermissionMode,
} from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';
import type { Ask } from './asks/ask.ts';
import { AskQueue } from './asks/ask-queue.ts';
import { FreshAsk } from './asks/fresh-ask.ts';
import { readCommand } from './chat-commands.ts';
import type { History } from './input/history.ts';
import { PromptBox } from './input/prompt-box.ts';
import { type CommandDesk, runOwn } from './own-commands.ts';
import { AgentLink } from './session/agent-link.ts';
import { Conversation } from './session/conversation.ts';
import { CustomStatus, type TerminalSize } from './session/custom-status.ts';
import type { Entry } from './session/entry.ts';
import { modeAfter } from './session/modes.ts';
import { Offer } from './session/offer.ts';
import type { Key } from './terminal/key-decoder.ts';
import type { Picture } from './terminal/screen.ts';
import { liveLines } from './view/live-lines.ts';
import { Notice } from './view/notice.ts';
import { Transcript } from './view/transcript.ts';

/** Prompts that may wait for their turn. */
export const MAX_QUEUED_PROMPTS = 50;

/** How long a first Ctrl-C counts. */
const LEAVE_MS = 2000;
const NOTICE_MS = 4000;

/** How long a pause in writing is: until then a question waits, or the next word would be taken for its answer. */
const PAUSE_MS = 700;

/** What a chat is made of. */
export interface ChatParts {
  transport: Transport;
  cwd: string;
  title: string;
  history: History | undefined;
  /** Why nothing is heard of the agent at the moment. */
  absence: () => string | undefined;
  /** Whether a script answers: no model is named then, and no costs are shown. */
  isScripted?: boolean;
  /** Of the terminal, all of it. */
  size: () => TerminalSize;
  onChange: () => void;
  onLeave: () => void;
}

/** A conversation with an agent, as a person at a terminal has it: keys go in, pictures come out. */
export class Chat {
  readonly #parts: ChatParts;
  readonly #link: AgentLink;
  readonly #asks: AskQueue;
  readonly #freshAsk = new FreshAsk();
  readonly #box: PromptBox;
  readonly #conversation: Conversation;
  readonly #transcript: Transcript;
  readonly #customStatus: CustomStatus;
  readonly #offer = new Offer();
  readonly #desk: CommandDesk;
  #queued: readonly string[] = [];
  #contextPercent: number | undefined;
  readonly #notice = new Notice();
  /** What was typed into a question that is gone must not be sent as a prompt by the Enter that was meant for it. */
  #isEnterHeld = false;
  #shownAbsence: string | undefined;
  #leaveUntil = 0;
  #lastWritten = 0;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { onChange } = parts;
    this.#transcript = new Transcript(parts.cwd);
    this.#conversation = new Conversation((entry) => this.#finish(entry));
    this.#asks = new AskQueue({
      onChange,
      onAnswer: ({ mode }) => mode && this.#conversation.enterMode(mode),
      onTakenBack: (typed) => this.#keep(typed),
    });
    this.#link = new AgentLink(parts.transport, {
      onMessage: (message) => this.#onMessage(message),
      onNonsense: (reason) => this.#conversation.note(`The agent said what nobody understands: ${reason}`),
      onAsk: (request, signal) => this.#asks.add(request, parts.cwd, signal),
    });
    this.#customStatus = new CustomStatus({
      ask: (signal) => this.#link.statusLine(parts.size(), signal),
      onChange,
    });
    this.#box = new PromptBox(
      parts.history,
      { commands: () => this.#offer.commands(), files: (word) => this.#link.files(word) },
      onChange,
    );
    this.#desk = {
      offer: this.#offer,
      mode: () => this.#conversation.mode,
      show: (lines) => this.#finish({ kind: 'page', lines }),
      setMode: (mode) => this.#setMode(mode),
      setModel: (name) => this.#setModel(name),
      leave: parts.onLeave,
    };
    this.#finish({ kind: 'opening', title: parts.title, cwd: parts.cwd });
  }

  get sessionId(): string {
    return this.#conversation.sessionId;
  }

  /** Whether the picture changes by itself. */
  get isMoving(): boolean {
    return (
      this.#conversation.state === 'working' ||
      this.#notice.isShown ||
      this.#asks.first !== undefined ||
      this.#parts.absence() !== this.#shownAbsence
    );
  }

  /** Follow the agent until it ends. */
  async run(initialPrompt: string | undefined): Promise<void> {
    const reading = this.#link.run();
    // Hosts may speak before they are introduced; an agent that dies meanwhile is told by `reading`.
    const introduced = this.#introduce().catch(() => {});
    if (initialPrompt) this.#send(initialPrompt);
    await reading;
    await introduced;
  }

  /** Say for good why it is over. */
  end(text: string, tone: 'quiet' | 'error'): void {
    this.#customStatus.close();
    this.#conversation.cutOff();
    this.#conversation.note(text, tone);
  }

  picture(columns: number, rows: number, now: number): Picture {
    this.#shownAbsence = this.#parts.absence();
    const { model, mode, costUsd, turnMs } = this.#conversation;
    const asks = this.#isWriting(now) ? undefined : this.#asks;
    const isAskFresh = this.#freshAsk.drawn(asks?.first, now);
    const { lines, cursor } = liveLines(
      {
        conversation: this.#conversation,
        asks,
        isAskFresh,
        box: this.#box,
        queued: this.#queued,
        status: {
          model: this.#parts.isScripted ? 'scripted' : model,
          mode,
          costUsd: this.#parts.isScripted ? undefined : costUsd,
          turnMs,
          contextPercent: this.#contextPercent,
          notice: this.#notice.textAt(now),
        },
        customStatus: this.#customStatus.lines,
        absence: this.#shownAbsence,
        cwd: this.#parts.cwd,
        now,
      },
      columns,
      rows,
    );
    return { done: this.#transcript.take(columns), live: lines, cursor };
  }

  /** The picture that stays when the chat is over. */
  lastPicture(columns: number): Picture {
    return { done: this.#transcript.take(columns), live: [] };
  }

  onKey(key: Key): void {
    // Only the very next key may be the second Ctrl-C: what was typed in between would be lost with the chat.
    if (key.chord !== 'ctrl+c') this.#leaveUntil = 0;
    if (key.chord === 'ctrl+c') this.#onCtrlC();
    else if (key.chord === 'shift+tab') this.#setMode(modeAfter(this.#conversation.mode));
    else if (key.chord === 'enter' && this.#isEnterHeld) this.#releaseEnter();
    else if (this.#asks.first && !this.#isWriting(Date.now())) this.#onAskKey(this.#asks.first, key);
    else this.#onBoxKey(key);
    this.#parts.onChange();
  }

  #onCtrlC(): void {
    const now = Date.now();
    if (now < this.#leaveUntil) return this.#parts.onLeave();
    this.#leaveUntil = now + LEAVE_MS;
    if (!this.#box.isEmpty) this.#box.clear();
    else if (this.#conversation.state === 'working') this.#interrupt();
    return this.#say('Ctrl-C again leaves', LEAVE_MS);
  }

  #isWriting(now: number): boolean {
    return !this.#box.isEmpty && now - this.#lastWritten < PAUSE_MS;
  }

  #onAskKey(ask: Ask, key: Key): void {
    if (!this.#freshAsk.takesKey(ask, Date.now())) return;
    if (ask.typed() === undefined && key.chord === 'text' && key.text === 'v') {
      this.#finish({ kind: 'page', lines: (width) => ask.whole(width) });
    } else this.#asks.onKey(key);
  }

  #onBoxKey(key: Key): void {
    if (key.chord === 'up' && this.#box.isEmpty && this.#queued.length > 0) {
      this.#box.giveBack(this.#queued.at(-1) ?? '');
      this.#queued = this.#queued.slice(0, -1);
      return;
    }
    this.#lastWritten = Date.now();
    const outcome = this.#box.onKey(key);
    if (outcome.name === 'sent') this.#submit(outcome.text);
    else if (outcome.name === 'refused') this.#say(outcome.reason);
    else if (outcome.name === 'unused' && key.chord === 'escape') this.#interrupt();
    else if (outcome.name === 'unused' && key.chord === 'ctrl+d') this.#parts.onLeave();
  }

  #submit(text: string): void {
    const command = readCommand(text);
    if (command && runOwn(command.name, command.rest, this.#desk)) return;
    if (this.#conversation.state === 'idle') this.#send(text);
    else if (this.#queued.length < MAX_QUEUED_PROMPTS) this.#queued = [...this.#queued, text];
    else {
      this.#box.giveBack(text);
      this.#say(`${MAX_QUEUED_PROMPTS} prompts wait already: let some of them be done first`);
    }
  }

  #send(text: string): void {
    const uuid = randomUUID();
    this.#conversation.prompted(text, uuid, Date.now());
    this.#settle(this.#link.prompt(text, uuid));
  }

  #setModel(name: string): void {
    this.#settle(
      this.#link.setModel(name).then(() => {
        this.#conversation.model = name;
        this.#customStatus.refresh();
        this.#conversation.note(`The next turn uses ${name}.`);
      }),
    );
  }

  #setMode(mode: PermissionMode): void {
    this.#settle(this.#link.setMode(mode).then(() => this.#conversation.enterMode(mode)));
  }

  #keep(typed: string): void {
    this.#box.giveBack(typed);
    this.#lastWritten = Date.now();
    this.#isEnterHeld = true;
  }

  #releaseEnter(): void {
    this.#isEnterHeld = false;
    if (!this.#box.isEmpty) this.#say('Enter again sends it as a prompt');
  }

  /** Stop the turn. What was queued behind it comes back into the box: nobody has decided to go on yet. */
  #interrupt(): void {
    if (this.#conversation.state === 'idle') return;
    if (this.#queued.length > 0) this.#box.giveBack(this.#queued.join('\n'));
    this.#queued = [];
    this.#conversation.activity = 'Stopping';
    this.#settle(this.#link.interrupt());
  }

  #onMessage(message: AgentMessage): void {
    this.#conversation.take(message, Date.now());
    if (message.type === 'system' && message.subtype === 'commands_changed')
      this.#takeCommands(message.commands);
    if (message.type === 'result') this.#onTurnEnd();
    if (changesStatus(message)) this.#customStatus.refresh();
    this.#parts.onChange();
  }

  #onTurnEnd(): void {
    this.#settle(this.#measureContext());
    const [next, ...rest] = this.#queued;
    if (next === undefined) return;
    this.#queued = rest;
    this.#send(next);
  }

  async #introduce(): Promise<void> {
    const offer = await this.#link.initialize();
    this.#offer.takeModels(offer.models);
    this.#takeCommands(offer.commands);
    if (offer.current_permission_mode) this.#conversation.enterMode(offer.current_permission_mode);
    this.#customStatus.refresh();
    await this.#measureContext();
  }

  async #measureContext(): Promise<void> {
    this.#contextPercent = await this.#link.contextPercent();
    this.#parts.onChange();
  }

  #takeCommands(commands: InitializeResponse['commands']): void {
    this.#offer.takeCommands(commands);
    this.#box.refresh();
  }

  #finish(entry: Entry): void {
    this.#transcript.add(entry);
    this.#parts.onChange();
  }

  #say(text: string, forMs = NOTICE_MS): void {
    this.#notice.say(text, forMs);
  }

  /** What goes wrong with a request is said; what goes wrong with the agent is told by the end of its lines. */
  #settle(work: Promise<void>): void {
    work.catch((error: unknown) => this.#say(messageOf(error))).finally(() => this.#parts.onChange());
  }
}

/** After replies, and when the mode or the session is another one, a status line may have something else to say. */
function changesStatus(message: AgentMessage): boolean {
  if (message.type === 'assistant') return !message.parent_tool_use_id;
  if (message.type === 'system') return message.subtype === 'status';
  return message.type === 'result' || message.type === 'conversation_reset';
}
