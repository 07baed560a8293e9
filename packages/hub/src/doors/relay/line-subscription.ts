import { isUtf8 } from 'node:buffer';
import { isJsonObject, isTooDeep, LIMITS, type WireLine } from '@signalbox/protocol';
import {
  askMessage,
  type Cursor,
  cancelMessage,
  HostAsks,
  type HubNote,
  hostShare,
  replayOf,
  type SessionViewer,
} from '@signalbox/protocol/hub';
import { askIn } from '../../sessions/asks/ask-line.ts';
import type { LineListener } from '../../sessions/feed.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import { cursorOn, type Entry, type RecordedLine } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';

/** How a subscription reaches its host. */
export interface LineSink {
  readonly viewer: SessionViewer;
  write: (line: string | WireLine) => void;
  /** Settles when the host has taken most of what was written, or is gone. */
  drained: () => Promise<void>;
  /** Whether the host has more to read than may wait for it. */
  isBehind: () => boolean;
  /** It is too slow, and has no cursor to go on from. */
  dismiss: () => void;
  fail: (error: unknown) => void;
}

/** What the hub says to hosts in its own name. An agent that says such a thing is quoted. */
const OF_THE_HUB: ReadonlySet<string | undefined> = new Set(['hub', 'status']);

/** `bare` gets the agent's lines; `numbered` also which entry each is, what people said, and what the hub notes. */
export type LineStyle = 'bare' | 'numbered';

/**
 * A host's place in a session: the agent's lines, as they were written. It reads the record until it has caught up, and
 * goes live in the same moment. Of the control protocol it gets what the agent asks people, as long as nobody has answered.
 */
export class LineSubscription implements LineListener {
  readonly #live: LiveSession;
  readonly #store: Store;
  readonly #style: LineStyle;
  readonly #sink: LineSink;
  readonly #asks = new HostAsks();
  readonly #previewed = new WeakSet<WireLine>();
  #state: 'idle' | 'catching-up' | 'live' | 'ended' = 'idle';
  #stop: () => void = () => {};
  /** The last entry that the host was written, or has no use for. */
  #seq = 0;

  constructor(live: LiveSession, store: Store, style: LineStyle, sink: LineSink) {
    this.#live = live;
    this.#store = store;
    this.#style = style;
    this.#sink = sink;
  }

  get viewer(): SessionViewer {
    return this.#sink.viewer;
  }

  /** Go on after a cursor, or with what is said from now on; settles when the host has caught up. */
  async start(cursor?: Cursor): Promise<void> {
    const { feed, id } = this.#live;
    this.#state = 'catching-up';
    this.#stop = feed.listen(this);
    const newest = feed.cursor;
    this.#seq = newest.seq;
    const resumption = cursor && (await this.#store.record.resume(id, cursor));
    const isResumed = resumption?.state === 'resumed';
    const start = isResumed && cursor ? cursor : newest;
    this.#seq = start.seq;
    this.#number('attached', { session: id, ...start, resumed: isResumed });
    if (isResumed) this.#show(resumption.entries);
    await this.#catchUp();
  }

  end(): void {
    this.#state = 'ended';
    this.#stop();
  }

  /** The host answers this request itself: it need not be told that it was answered. */
  answering(requestId: string): void {
    this.#asks.answering(requestId);
  }

  onEntries(entries: readonly RecordedLine[]): void {
    const [first] = entries;
    if (this.#state !== 'live' || !first) return;
    // Some of these were read from the record already, or there is no room for them.
    if (first.seq !== this.#seq + 1 || this.#sink.isBehind()) return this.#fallBack();
    this.#show(entries);
  }

  onPreview(line: WireLine): void {
    if (this.#state !== 'live') return;
    if (this.#sink.isBehind()) this.#fallBack();
    else this.#preview(line);
  }

  onNote(note: HubNote): void {
    if (note.type !== 'permission' || note.permission.state === 'open') return;
    const { requestId } = note.permission;
    if (this.#asks.end(requestId)) this.#sink.write(cancelLine(requestId));
  }

  #fallBack(): void {
    if (this.#style === 'bare' && this.#sink.isBehind()) {
      this.end();
      return this.#sink.dismiss();
    }
    this.#state = 'catching-up';
    this.#catchUp().catch(this.#sink.fail);
  }

  async #catchUp(): Promise<void> {
    while (this.#state === 'catching-up') {
      if (this.#seq >= this.#live.feed.last) return this.#goLive();
      await this.#sink.drained();
      const { entries } = await this.#store.record.window(this.#live.id, this.#seq + 1);
      this.#show(entries);
    }
  }

  #goLive(): void {
    this.#state = 'live';
    for (const line of this.#live.previews.lines()) this.#preview(line);
    for (const { requestId, request } of this.#live.asks.open) {
      if (this.#asks.begin(requestId)) this.#sink.write(JSON.stringify(askMessage(requestId, request)));
    }
  }

  #preview(line: WireLine): void {
    if (this.#previewed.has(line)) return;
    this.#previewed.add(line);
    this.#sink.write(saidByAgent(line));
  }

  #show(entries: readonly Entry[]): void {
    if (this.#state === 'ended') return;
    for (const entry of entries) {
      if (entry.seq <= this.#seq) continue;
      this.#seq = entry.seq;
      const line = entry.kind === 'line' ? this.#lineOf(entry) : undefined;
      if (line === undefined) continue;
      this.#number('cursor', cursorOn(entry));
      this.#sink.write(line);
    }
  }

  /** What a host gets of an entry; undefined when it is none of its business. */
  #lineOf({ author, line }: RecordedLine): string | WireLine | undefined {
    const share = hostShare(author, line.head().type);
    if (author.by === 'agent') {
      // Few hosts survive what is too deep; those who get the hub's notes get the one that follows.
      if (share === 'nothing' || isTooDeep(line.bytes(), LIMITS.contentDepth)) return undefined;
      const said = share === 'control' ? this.#controlLine(line) : line;
      return said && saidByAgent(said);
    }
    if (this.#style === 'bare') return undefined;
    if (share === 'note') return line;
    return share === 'replay' ? JSON.stringify(replayOf(fieldsOf(line))) : this.#answered(line);
  }

  /** Its answers are for the one who asked it; its questions, as long as they are open, are for everybody. */
  #controlLine(line: WireLine): WireLine | undefined {
    const ask = askIn(line);
    if (ask?.kind === 'withdrawal') return this.#state === 'catching-up' ? line : undefined;
    if (!ask || !this.#live.asks.openOne(ask.requestId)) return undefined;
    return this.#asks.begin(ask.requestId) ? line : undefined;
  }

  /** A host that was away may still ask its person what somebody else has answered meanwhile. */
  #answered(line: WireLine): string | undefined {
    if (this.#state !== 'catching-up') return undefined;
    const { response } = fieldsOf(line);
    const requestId = isJsonObject(response) ? response.request_id : undefined;
    if (typeof requestId !== 'string') return undefined;
    this.#asks.end(requestId);
    return cancelLine(requestId);
  }

  #number(subtype: 'attached' | 'cursor', facts: object): void {
    if (this.#style === 'numbered') this.#sink.write(JSON.stringify({ type: 'hub', subtype, ...facts }));
  }
}

/**
 * A line of the agent as hosts get it: as it was written, unless it would be taken for what the agent may not say there, or
 * is no UTF-8, which ends the connection of everyone who checks.
 */
function saidByAgent(line: WireLine): string | WireLine {
  const { type, parsedType, isClear } = line.head();
  if (OF_THE_HUB.has(type) || OF_THE_HUB.has(parsedType) || !isClear) return quoteOf(line);
  return isUtf8(line.bytes()) ? line : line.text();
}

function quoteOf(line: WireLine): string {
  return JSON.stringify({ type: 'hub', subtype: 'quoted', line: line.text() });
}

function cancelLine(requestId: string): string {
  return JSON.stringify(cancelMessage(requestId));
}

function fieldsOf(line: WireLine): Record<string, unknown> {
  const value = line.json();
  return isJsonObject(value) ? value : {};
}
