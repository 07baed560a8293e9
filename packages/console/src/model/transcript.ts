import { enderAfter, isJsonObject, type JsonObject, numberAt, objectAt, textAt } from '@signalbox/protocol';
import type { Author, EntryMessage } from '@signalbox/protocol/hub';
import { number } from '../words/format.ts';
import { t } from '../words/t.ts';
import { authorName } from './author-name.ts';
import { blocksIn, imagesIn, promptIn, textIn } from './content.ts';
import type { Item, ItemGroup, NoteItem } from './item.ts';
import { ItemTree } from './item-tree.ts';
import { LiveReplies, MAIN_THREAD, newCall } from './live-replies.ts';
import { exitNote, type Note, noteOf } from './notes.ts';
import { requestWords } from './request-words.ts';
import { commandsIn, renewed, type SlashCommand } from './slash-commands.ts';
import { TaskNotes } from './task-notes.ts';
import { turnEnd } from './turn-end.ts';

/** What a slash command printed. */
const COMMAND_OUTPUT = /^<local-command-std(out|err)>([\s\S]*)<\/local-command-std\1>$/;

/** How much of one entry becomes rows: a message may have a hundred thousand parts. */
const MAX_PARTS = 200;

/** How agents say of a tool that it did not fail by itself. */
const INTERRUPTED_TOOL = /\binterrupted\b|\baborted\b|^The user doesn't want to /i;

/** A session's record and what is being written, as the rows that a person reads. Entries are added in order. */
export class Transcript {
  readonly #tree = new ItemTree();
  #live = new LiveReplies();
  /** The calls that are asked about, by the request. */
  readonly #asked = new Map<string, string>();
  readonly #prompts = new Set<string>();
  readonly #calls = new Set<string>();
  /** How many blocks of a reply there are, so that a block keeps its name when it is in the record. */
  readonly #blocks = new Map<string, number>();
  readonly #tasks = new TaskNotes();
  /** The calls of this turn that failed: an interrupt tells why some did. */
  readonly #failed = new Set<string>();
  /** The error that this turn has told already. */
  #toldFailure: string | undefined;
  /** Who has told the agent to end. */
  #endedBy: string | undefined;
  #start = '';
  #commands: readonly SlashCommand[] = [];
  /** Whether the turn has said something; `unknown` when it may have begun before what was read. */
  #words: 'unknown' | 'none' | 'some' = 'unknown';
  /** What the agent had cost when the last turn ended; nobody knows where that is further up than what was read. */
  #costUsd: number | undefined;
  /** The entry that is being added. */
  #seq = 0;
  /** When it came. */
  #time: number | undefined;

  /** The rows in their order, with what is being written at their ends. */
  get groups(): readonly ItemGroup[] {
    return this.#tree.with(this.#live);
  }

  /** What the agent said last that can be called with a slash. */
  get commands(): readonly SlashCommand[] {
    return this.#commands;
  }

  /** Whether a prompt is in the record. */
  hasPrompt(id: string): boolean {
    return this.#prompts.has(id);
  }

  /** Take a part of a reply that is being written. */
  preview(message: unknown): void {
    this.#live.hear(message);
  }

  /** What is being written will be told from its start again. */
  forgetPreviews(): void {
    this.#live.clear();
  }

  /** Take over what is being written from a transcript of other entries, and what has not changed. */
  goOnFrom(other: Transcript): void {
    this.#live = other.#live;
    this.#tree.reuse(other.#tree);
  }

  add({ seq, author = { by: 'agent' }, time, message, raw, damaged }: EntryMessage): void {
    const key = `entry-${seq}`;
    this.#seq = seq;
    this.#time = time;
    if (seq === 1) this.#begin();
    if (damaged) return this.#note(key, { text: t.model.damaged, tone: 'error' });
    if (!isJsonObject(message)) return this.#unknown(key, t.model.notJson, raw ?? String(message));
    if (author.by === 'agent') this.#offer(message);
    switch (message.type) {
      case 'assistant':
        return this.#reply(key, message);
      case 'user':
        return author.by === 'agent'
          ? this.#heard(key, message, time)
          : this.#said(key, author, message, time);
      case 'result':
        return this.#end(key, message);
      case 'control_request':
        return this.#ask(message);
      case 'control_response':
        return this.#answer(message, author);
      case 'control_cancel_request':
        return this.#withdraw(textAt(message, 'request_id'));
      default:
        return this.#other(key, message, author);
    }
  }

  #offer(message: JsonObject): void {
    const named = commandsIn(message);
    if (named.length > 0) this.#commands = renewed(this.#commands, named);
  }

  #reply(key: string, message: JsonObject): void {
    const reply = objectAt(message, 'message');
    const id = textAt(reply, 'id') || key;
    const thread = textAt(message, 'parent_tool_use_id');
    const blocks = blocksIn(reply);
    this.#live.settle(thread, id, blocks.length);
    if (textAt(message, 'error') !== '' && thread === MAIN_THREAD) return this.#failure(key, textIn(blocks));
    const before = this.#blocks.get(id) ?? 0;
    this.#blocks.set(id, before + blocks.length);
    const shown = blocks.slice(0, MAX_PARTS);
    const items = shown.flatMap((block, at) => this.#itemOf(thread, `${id}:${before + at}`, block) ?? []);
    const more = blocks.length - shown.length;
    this.#append(thread, ...items, ...(more > 0 ? [tooMany(`${id}:more`, more)] : []));
  }

  /** An error that came in the place of a reply: the end of the turn says the same. */
  #failure(key: string, text: string): void {
    this.#toldFailure = text;
    this.#words = 'some';
    this.#note(key, { text, tone: 'error' });
  }

  #itemOf(thread: string, key: string, block: unknown): Item | undefined {
    const type = textAt(block, 'type');
    const text = textAt(block, 'text') || textAt(block, 'thinking');
    if (type === 'tool_use' || type === 'server_tool_use') {
      const call = newCall(
        textAt(block, 'id') || key,
        textAt(block, 'name'),
        objectAt(block, 'input'),
        this.#seq,
        this.#time,
      );
      if (this.#calls.has(call.id)) return undefined;
      this.#calls.add(call.id);
      return call;
    }
    if (type === 'text' && thread === MAIN_THREAD) this.#words = 'some';
    if (type === 'text' || type === 'thinking')
      return text.trim() === '' ? undefined : { kind: type, key, seq: this.#seq, text, isLive: false };
    if (type === 'redacted_thinking') return undefined;
    return { kind: 'unknown', key, title: type, source: sourceOf(block) };
  }

  #text(key: string, text: string): void {
    const item = this.#itemOf(MAIN_THREAD, key, { type: 'text', text });
    if (item) this.#append(MAIN_THREAD, item);
  }

  /** A prompt that somebody sent through the hub; one that was sent twice is in the record once. */
  #said(key: string, author: Author, message: JsonObject, time: number | undefined): void {
    const uuid = textAt(message, 'uuid');
    if (uuid !== '') this.#prompts.add(uuid);
    this.#prompt(key, authorName(author), message, time);
  }

  /** What the agent passes on: results of tools, prompts that others gave it, words of its own. */
  #heard(key: string, message: JsonObject, time: number | undefined): void {
    const blocks = blocksIn(objectAt(message, 'message'));
    const results = blocks.filter((block) => textAt(block, 'type') === 'tool_result');
    for (const result of results.slice(0, MAX_PARTS)) this.#result(result, message.tool_use_result, time);
    // What a sub-agent was given to do is in the call that started it.
    if (results.length > 0 || textAt(message, 'parent_tool_use_id') !== '') return;
    const text = textIn(blocks);
    const output = COMMAND_OUTPUT.exec(text.trim())?.[2];
    if (output !== undefined) return this.#text(key, output);
    const isTold = message.isReplay === true || this.#prompts.has(textAt(message, 'uuid'));
    if (isTold || text.startsWith('[Request interrupted')) return;
    if (message.isSynthetic === true)
      return this.#note(key, { text: t.model.toldBetween, tone: 'quiet', detail: text });
    this.#prompt(key, '', message, time);
  }

  #prompt(key: string, who: string, message: JsonObject, time: number | undefined): void {
    const blocks = blocksIn(objectAt(message, 'message'));
    this.#append(MAIN_THREAD, {
      kind: 'prompt',
      key,
      seq: this.#seq,
      who,
      time,
      ...promptIn(blocks),
      images: imagesIn(blocks),
    });
  }

  #result(result: unknown, structured: unknown, time: number | undefined): void {
    const blocks = blocksIn(result);
    const isError = isJsonObject(result) && result.is_error === true;
    if (isError) this.#failed.add(textAt(result, 'tool_use_id'));
    this.#tree.change(textAt(result, 'tool_use_id'), (call) => ({
      ...call,
      state: call.state === 'denied' ? 'denied' : isError ? 'failed' : 'done',
      result: { text: textIn(blocks), images: imagesIn(blocks), structured },
      endedAt: time,
    }));
  }

  #ask(message: JsonObject): void {
    const request = objectAt(message, 'request');
    if (request.subtype !== 'can_use_tool') return;
    const call = textAt(request, 'tool_use_id');
    this.#asked.set(textAt(message, 'request_id'), call);
    this.#tree.change(call, (item) => (item.state === 'running' ? { ...item, state: 'asking' } : item));
  }

  #answer(message: JsonObject, author: Author): void {
    const response = objectAt(message, 'response');
    const requestId = textAt(response, 'request_id');
    const call = this.#asked.get(requestId);
    if (call === undefined) return;
    this.#asked.delete(requestId);
    const isDenied = objectAt(response, 'response').behavior === 'deny';
    const decidedBy = authorName(author);
    this.#tree.change(call, (item) =>
      item.result ? item : { ...item, state: isDenied ? 'denied' : 'running', decidedBy },
    );
  }

  #withdraw(requestId: string): void {
    const call = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (call !== undefined)
      this.#tree.change(call, (item) => (item.state === 'asking' ? { ...item, state: 'running' } : item));
  }

  #other(key: string, message: JsonObject, author: Author): void {
    const { type, subtype } = message;
    if (type === 'system' && subtype === 'init') return this.#init(key, message);
    if (type === 'hub' && subtype === 'changes' && author.by === 'hub') return this.#changes(key, message);
    if (type === 'hub' && subtype === 'request') return this.#request(key, message, author);
    this.#endedBy = enderAfter(this.#endedBy, message, author);
    if (type === 'bridge' && subtype !== 'status') this.#settleAll('stopped');
    if (type === 'bridge' && subtype === 'started') this.#begin();
    const note = this.#noteOf(message);
    if (note) this.#note(key, note);
    else if (note === undefined)
      this.#unknown(
        key,
        [type, subtype].filter((word) => typeof word === 'string').join(' / '),
        sourceOf(message),
      );
  }

  /** Something that people asked of the agent is done. */
  #request(key: string, message: JsonObject, author: Author): void {
    const text = requestWords(objectAt(message, 'request'), authorName(author));
    if (text !== undefined) this.#note(key, { text, tone: 'mark' });
  }

  /** What a turn changed in the folder stands at its end. */
  #changes(key: string, message: JsonObject): void {
    const why = textAt(message, 'leftOut');
    const text = t.model.changesUnknown;
    if (why !== '') return this.#note(key, { text, tone: 'quiet', detail: why });
    const [turn, files] = [numberAt(message, 'turn') ?? 0, numberAt(message, 'files') ?? 0];
    const [added, removed] = [numberAt(message, 'added') ?? 0, numberAt(message, 'removed') ?? 0];
    this.#tree.noteChanges(`entry-${turn}`, { turn, files, added, removed });
  }

  #noteOf(message: JsonObject): Note | undefined {
    if (message.type === 'bridge' && message.subtype === 'exited') return exitNote(message, this.#endedBy);
    const ofTask = this.#tasks.hear(message);
    return ofTask === undefined ? noteOf(message) : ofTask;
  }

  /** Commands answer in the result alone, or not at all. */
  #end(key: string, message: JsonObject): void {
    const end = turnEnd(key, message, this.#costUsd);
    this.#settleAll(end.isInterrupted ? 'interrupted' : 'stopped');
    const words = textAt(message, 'result');
    if (this.#words === 'none' && end.problem === undefined) this.#text(`${key}:words`, words);
    const isTold = end.problem !== undefined && end.problem === this.#toldFailure;
    this.#append(MAIN_THREAD, isTold ? { ...end, problem: undefined } : end);
    this.#toldFailure = undefined;
    this.#words = 'none';
    this.#costUsd = numberAt(message, 'total_cost_usd') ?? this.#costUsd;
  }

  /** An agent starts: it has said nothing, and costs are counted from here. */
  #begin(): void {
    this.#words = 'none';
    this.#costUsd = 0;
  }

  /** Agents introduce themselves every turn; what they say is told when it is something new. */
  #init(key: string, message: JsonObject): void {
    const [model, folder] = [textAt(message, 'model'), textAt(message, 'cwd')];
    const start = `${model}\n${folder}`;
    if (start === this.#start) return;
    this.#start = start;
    this.#append(MAIN_THREAD, { kind: 'start', key, model, folder });
  }

  /** A turn is over, or its agent: what has no end yet will not get one. */
  #settleAll(how: 'interrupted' | 'stopped'): void {
    this.#live.clear();
    this.#asked.clear();
    this.#tree.stopAll(how);
    if (how === 'interrupted')
      for (const id of this.#failed)
        this.#tree.change(id, (call) =>
          call.state === 'failed' && INTERRUPTED_TOOL.test(call.result?.text ?? '')
            ? { ...call, state: 'interrupted' }
            : call,
        );
    this.#failed.clear();
  }

  #append(thread: string, ...items: Item[]): void {
    this.#tree.append(thread, items, this.#seq);
  }

  #note(key: string, { text, tone, detail, session, isAttempt }: NonNullable<Note>): void {
    const said = { kind: 'note', key, tone, text, detail, session } as const;
    this.#append(MAIN_THREAD, isAttempt ? { ...said, isAttempt } : said);
  }

  #unknown(key: string, title: string, source: string): void {
    this.#append(MAIN_THREAD, { kind: 'unknown', key, title, source });
  }
}

function tooMany(key: string, count: number): NoteItem {
  const text = t.model.moreParts(number(count));
  return { kind: 'note', key, tone: 'quiet', text, detail: undefined, session: undefined };
}

function sourceOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
