import { isJsonObject, type JsonObject, numberAt, objectAt, textAt } from '@signalbox/protocol';
import type { EntryMessage, PermissionRequest, SessionState, StreamMessage } from '@signalbox/protocol/hub';
import { t } from '../words/t.ts';
import { blocksIn, textIn } from './content.ts';
import { callLine, type SaidLine, withLines, wordLines } from './said-lines.ts';

/** What an agent does at the moment. */
export interface Act {
  words: string;
  /** When it began; undefined where nobody knows. */
  since: number | undefined;
}

/** What one sees of a session from afar. */
export interface Glance {
  act: Act | undefined;
  /** The last line that the agent said. */
  lastLine: string;
  /** What was said and done last, oldest first. */
  said: readonly SaidLine[];
  /** What the agent has cost since it was started, as far as it has said so. */
  costUsd: number | undefined;
  /** What it asks, oldest first. */
  asks: readonly PermissionRequest[];
  /** What was answered since somebody looks, the newest first. */
  answered: readonly PermissionRequest[];
}

/** As many as somebody looks back at. */
const MAX_ANSWERED = 5;

/** As much of a reply that is being written as its last lines need. */
const LIVE_CHARACTERS = 1000;

/** What a hub tells about a session, as one line: no more of it is kept than that takes. */
export class SessionGlance {
  #folder: string | null = null;
  #state: SessionState = 'idle';
  /** Calls that have no result yet. */
  readonly #running = new Map<string, Act>();
  #live = '';
  #lastLine = '';
  #said: readonly SaidLine[] = [];
  #costUsd: number | undefined;
  #asks: readonly PermissionRequest[] = [];
  #answered: readonly PermissionRequest[] = [];
  /** When the agent last said something. */
  #heardAt: number | undefined;

  /** `known` is what was last seen of it, until the hub tells more. */
  constructor(known?: Pick<Glance, 'lastLine' | 'costUsd'>) {
    this.#lastLine = known?.lastLine ?? '';
    this.#costUsd = known?.costUsd;
  }

  get glance(): Glance {
    const writing = wordLines(this.#live);
    return {
      act: this.#act(),
      lastLine: writing.at(-1) ?? this.#lastLine,
      said: withLines(this.#said, 'agent', writing),
      costUsd: this.#costUsd,
      asks: this.#asks,
      answered: this.#answered,
    };
  }

  hear(message: StreamMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.#folder = message.session.folder;
        this.#asks = message.permissions;
        this.#become(message.activity);
        this.#live = '';
        return;
      case 'reset':
        this.#running.clear();
        this.#live = '';
        this.#lastLine = '';
        this.#said = [];
        this.#costUsd = undefined;
        return;
      case 'activity':
        return this.#become(message.state);
      case 'session':
        this.#folder = message.session.folder;
        return;
      case 'permission': {
        const { permission } = message;
        const isOther = ({ requestId }: PermissionRequest): boolean => requestId !== permission.requestId;
        const others = this.#asks.filter(isOther);
        // It is told once more when the agent has got the answer.
        if (permission.state === 'answered')
          this.#answered = [permission, ...this.#answered.filter(isOther)].slice(0, MAX_ANSWERED);
        this.#asks = permission.state === 'open' ? [...others, permission] : others;
        return;
      }
      case 'preview':
        return this.#preview(message.message);
      case 'sdk-message':
        return this.#entry(message);
      default:
    }
  }

  #act(): Act | undefined {
    if (this.#state !== 'active' && this.#state !== 'asking') return undefined;
    const last = [...this.#running.values()].at(-1);
    if (last) return last;
    return this.#state === 'active'
      ? { words: this.#live === '' ? t.model.thinking : t.model.writing, since: this.#heardAt }
      : undefined;
  }

  #become(state: SessionState): void {
    this.#state = state;
    if (state === 'active' || state === 'asking') return;
    this.#running.clear();
  }

  #preview(message: unknown): void {
    if (textAt(message, 'parent_tool_use_id') !== '') return;
    const event = objectAt(message, 'event');
    if (event.type === 'message_start') this.#live = '';
    this.#live = (this.#live + textAt(event.delta, 'text')).slice(-LIVE_CHARACTERS);
  }

  #entry({ message, author, time }: EntryMessage): void {
    if (!isJsonObject(message) || textAt(message, 'parent_tool_use_id') !== '') return;
    if (message.type === 'user' && author?.by === 'person') {
      this.#heardAt = time;
      const words = textIn(blocksIn(objectAt(message, 'message')));
      this.#said = withLines(this.#said, 'person', wordLines(words).slice(0, 1));
    }
    if (author !== undefined && author.by !== 'agent') return;
    this.#heardAt = time;
    if (message.type === 'assistant') this.#reply(message, time);
    if (message.type === 'user') this.#results(message);
    if (message.type === 'result') {
      this.#running.clear();
      this.#live = '';
      this.#costUsd = numberAt(message, 'total_cost_usd') ?? this.#costUsd;
    }
  }

  #reply(message: JsonObject, time: number | undefined): void {
    this.#live = '';
    for (const block of blocksIn(objectAt(message, 'message'))) {
      const type = textAt(block, 'type');
      if (type === 'text') {
        const lines = wordLines(textAt(block, 'text'));
        this.#lastLine = lines.at(-1) ?? this.#lastLine;
        this.#said = withLines(this.#said, 'agent', lines);
      }
      if (type !== 'tool_use') continue;
      const words = callLine(textAt(block, 'name'), objectAt(block, 'input'), this.#folder);
      this.#said = withLines(this.#said, 'tool', [words]);
      this.#running.set(textAt(block, 'id'), { words, since: time });
    }
  }

  #results(message: JsonObject): void {
    for (const block of blocksIn(objectAt(message, 'message')))
      this.#running.delete(textAt(block, 'tool_use_id'));
  }
}

/** How long something goes on, as a stopwatch shows it. */
export function stopwatch(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
