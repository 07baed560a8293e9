import {
  type AgentMessage,
  type AssistantMessage,
  type ContentBlock,
  type ResultMessage,
  type StreamEventMessage,
  type SystemMessage,
  turnOutcome,
  type UserMessage,
} from '@signalbox/protocol';
import type { ToolCard } from '../cards/tool-card.ts';
import { CallBoard } from './call-board.ts';
import type { Entry, Tone } from './entry.ts';
import { LiveReply } from './live-reply.ts';
import { noteOf } from './notes.ts';

/** What the chat knows of a session from what its agent says. */
export class Conversation {
  /** Called with everything that is done, in order. */
  readonly #onEntry: (entry: Entry) => void;
  readonly #board = new CallBoard();
  /** Prompts that this chat sent: an agent that replays them tells nothing new. */
  readonly #ownPrompts = new Set<string>();
  /** Blocks that ended before the message that carries them whole. */
  readonly #ended: string[] = [];
  #reply: LiveReply | undefined;
  #hasSpoken = false;
  #lastSaid = '';
  #mode = 'default';
  #modeBeforePlan = 'default';

  state: 'idle' | 'working' = 'idle';
  /** What the agent does beside its usual work. */
  activity = '';
  sessionId = '';
  model = '';
  costUsd: number | undefined;
  /** When the turn that is being worked on began, and how long the last one took. */
  turnStart = 0;
  turnMs: number | undefined;

  constructor(onEntry: (entry: Entry) => void) {
    this.#onEntry = onEntry;
  }

  get reply(): LiveReply | undefined {
    return this.#reply;
  }

  get runningCalls(): readonly ToolCard[] {
    return this.#board.running;
  }

  get mode(): string {
    return this.#mode;
  }

  /** The agent is in this mode now; `before plan` is the one that planning interrupted. */
  enterMode(mode: string): void {
    if (mode === 'plan' && this.#mode !== 'plan') this.#modeBeforePlan = this.#mode;
    this.#mode = mode === 'before plan' ? this.#modeBeforePlan : mode;
  }

  /** A prompt was sent, with this id. */
  prompted(text: string, uuid: string, now: number): void {
    this.#ownPrompts.add(uuid);
    this.#onEntry({ kind: 'prompt', text });
    this.#begin(now);
  }

  note(text: string, tone: Tone = 'quiet'): void {
    this.#onEntry({ kind: 'note', text, tone });
  }

  take(message: AgentMessage, now: number): void {
    const note = this.#isShownAlready(message) ? undefined : noteOf(message);
    if (note) this.#onEntry({ kind: 'note', ...note });
    switch (message.type) {
      case 'system':
        return this.#takeSystem(message, now);
      case 'stream_event':
        return this.#takeEvent(message, now);
      case 'assistant':
        return this.#takeAssistant(message, now);
      case 'user':
        return this.#takeUser(message, now);
      case 'result':
        return this.#takeResult(message, now);
      case 'streamlined_text':
        return this.#speak(message.text);
      default:
        return undefined;
    }
  }

  /** The end of a task whose card is still open is shown by the card. */
  #isShownAlready(message: AgentMessage): boolean {
    if (message.type !== 'system' || message.subtype !== 'task_notification') return false;
    return typeof message.tool_use_id === 'string' && this.#board.has(message.tool_use_id);
  }

  /** The agent is gone: what it was about will not end any more. */
  cutOff(): void {
    this.#endReply();
    for (const card of this.#board.stopAll()) this.#onEntry({ kind: 'card', card });
    this.state = 'idle';
  }

  #begin(now: number): void {
    if (this.state === 'working') return;
    this.state = 'working';
    this.turnStart = now;
    this.#hasSpoken = false;
    this.#lastSaid = '';
  }

  #takeSystem(message: SystemMessage, now: number): void {
    switch (message.subtype) {
      case 'init':
        this.sessionId = message.session_id;
        this.model = message.model ?? this.model;
        this.enterMode(message.permissionMode ?? this.#mode);
        return this.#begin(now);
      case 'status':
        this.enterMode(message.permissionMode ?? this.#mode);
        this.activity = message.status === 'compacting' ? 'Summing up the conversation' : '';
        return undefined;
      case 'local_command_output':
        return this.#speak(message.content);
      case 'session_state_changed':
        if (message.state === 'idle') this.#end(now);
        return undefined;
      default:
        return undefined;
    }
  }

  #takeEvent({ event, parent_tool_use_id: parent }: StreamEventMessage, now: number): void {
    // What a sub-agent writes is for its parent.
    if (parent) return;
    this.#begin(now);
    if (event.type === 'content_block_start') {
      this.#endReply();
      const { type } = event.content_block;
      if (type === 'text' || type === 'thinking') this.#reply = new LiveReply(type);
    } else if (event.type === 'content_block_delta') {
      const { delta } = event;
      if (delta.type === 'text_delta') this.#write(delta.text);
      else if (delta.type === 'thinking_delta') this.#write(delta.thinking);
    }
  }

  #write(text: string): void {
    const reply = this.#reply;
    if (!reply) return;
    const { isStart } = reply;
    const settled = reply.add(text);
    if (settled.trim()) this.#onEntry({ kind: 'reply', text: settled, isStart });
  }

  #takeAssistant(message: AssistantMessage, now: number): void {
    const { parent_tool_use_id: parent } = message;
    if (!parent) this.#begin(now);
    for (const block of message.message.content) this.#takeBlock(block, parent);
  }

  #takeBlock(block: ContentBlock, parent: string | null | undefined): void {
    if (block.type === 'tool_use') this.#board.start(block, parent);
    else if (parent) return;
    else if (block.type === 'text') this.#takeWhole('text', block.text);
    else if (block.type === 'thinking') this.#takeWhole('thinking', block.thinking);
  }

  /** A block is complete: it was written while we watched, or is new as a whole. */
  #takeWhole(kind: 'text' | 'thinking', text: string): void {
    const ended = this.#ended.indexOf(text);
    if (ended >= 0) this.#ended.splice(ended, 1);
    else if (this.#reply?.kind === kind) {
      const reply = this.#reply;
      this.#reply = undefined;
      this.#emit(kind, reply.remainder(text), reply.isStart);
    } else this.#emit(kind, text, true);
  }

  /** The block ends without the message that would carry it: it was cut off, or the next one began. */
  #endReply(): void {
    const reply = this.#reply;
    if (!reply) return;
    this.#reply = undefined;
    this.#ended.push(reply.whole);
    this.#emit(reply.kind, reply.rest, reply.isStart);
  }

  #emit(kind: 'text' | 'thinking', text: string, isStart: boolean): void {
    if (kind === 'text') {
      this.#hasSpoken = true;
      this.#lastSaid = text;
    }
    if (!text.trim()) return;
    this.#onEntry(kind === 'text' ? { kind: 'reply', text, isStart } : { kind: 'thought', text });
  }

  #speak(text: string): void {
    this.#emit('text', text, true);
  }

  #takeUser(message: UserMessage, now: number): void {
    const { content } = message.message;
    const blocks: readonly ContentBlock[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    for (const block of blocks) {
      if (block.type === 'tool_result') {
        const card = this.#board.finish(block, message.tool_use_result);
        if (card) this.#onEntry({ kind: 'card', card });
      } else if (block.type === 'text' && !message.parent_tool_use_id)
        this.#takeUserText(message, block.text, now);
    }
  }

  #takeUserText(message: UserMessage, text: string, now: number): void {
    const output = /^<local-command-std(out|err)>([\s\S]*)<\/local-command-std\1>$/.exec(text.trim());
    if (output) return this.#speak(output[2] ?? '');
    if (text.startsWith('[Request interrupted by user')) {
      this.#endReply();
      return this.#onEntry({ kind: 'stopped' });
    }
    // Someone else who drives this session said it.
    if (message.isReplay && !message.isSynthetic && !this.#ownPrompts.has(message.uuid ?? '')) {
      this.#onEntry({ kind: 'prompt', text });
      this.#begin(now);
    }
    return undefined;
  }

  #takeResult(result: ResultMessage, now: number): void {
    const text = result.subtype === 'success' ? (result.result ?? '') : '';
    this.costUsd = typeof result.total_cost_usd === 'number' ? result.total_cost_usd : this.costUsd;
    this.#end(now);
    const outcome = turnOutcome(result);
    const problem = outcome.how === 'failed' ? outcome.problem : undefined;
    // Some failures are what the agent said last as well, and commands answer in the result alone.
    if (problem && problem !== this.#lastSaid) this.note(problem, 'error');
    else if (!this.#hasSpoken) this.#speak(text);
  }

  #end(now: number): void {
    this.cutOff();
    this.#ended.length = 0;
    this.activity = '';
    if (this.turnStart > 0) this.turnMs = now - this.turnStart;
    this.turnStart = 0;
  }
}
