import { isUrl, WireLine } from '@signalbox/protocol';
import type { Cursor } from '@signalbox/protocol/hub';
import type { LinkGap } from '@signalbox/transport';
import { CLIConnectionError } from '../sdk-errors.ts';
import { type AgentPeer, fieldsOf } from './agent-peer.ts';

/** Says which entry of the session this host has last, when it dials. */
export const CURSOR_HEADER = 'x-signalbox-cursor';

/** A host that has no entry yet, and wants to be told of those that come. */
const NO_ENTRY = 'new';

/** In the place of a link's epoch: entries of the session's record are missing. */
const RECORD = 'record';

/** How many parts of replies, and questions, are known again when a new connection brings them once more. */
const REMEMBERED = 10_000;

const SESSION = /\/api\/sessions\/[^/]+(?<wire>\/wire)?\/?$/;

/** Where a hub lets hosts into a session; undefined when the URL is not that of a session of a hub. */
export function hubWireUrl(address: string | URL): URL | undefined {
  if (!isUrl(String(address))) return undefined;
  const url = new URL(address);
  const match = SESSION.exec(url.pathname);
  if (!match) return undefined;
  url.protocol = url.protocol.replace('http', 'ws');
  if (!match.groups?.['wire']) url.pathname = `${url.pathname.replace(/\/$/, '')}/wire`;
  return url;
}

/** How a {@link HubPeer} deals with what it hears. */
export interface HubPeerOptions {
  /** Subtypes of the agent's questions that this host answers; all others are somebody else's. */
  answers: ReadonlySet<string>;
  onGap: (gap: LinkGap) => void;
}

/** A hub, whose session has other hosts too: knows how far its record was heard, and whose turn it is. */
export class HubPeer implements AgentPeer {
  /** For every dial: what is said here holds for the next. */
  readonly headers: Record<string, string> = { [CURSOR_HEADER]: NO_ENTRY };
  readonly #options: HubPeerOptions;
  readonly #ownPrompts = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #parts = new Set<string>();
  #seq: number | undefined;
  /** Which entry the next line is. */
  #next: Cursor | undefined;

  constructor(options: HubPeerOptions) {
    this.#options = options;
  }

  get queuedPrompts(): number {
    return this.#ownPrompts.size;
  }

  /** A prompt gets a name, by which the hub knows it when it comes again over another connection. */
  outgoing(line: WireLine): WireLine {
    if (line.head().type !== 'user') return line;
    const uuid = line.head().uuid ?? crypto.randomUUID();
    this.#ownPrompts.add(uuid);
    return WireLine.of(JSON.stringify({ ...fieldsOf(line.json()), uuid }));
  }

  incoming(line: WireLine): readonly WireLine[] {
    const { type } = line.head();
    if (type === 'hub') {
      this.#note(fieldsOf(line.json()));
      return [];
    }
    return this.#isNews() && this.#isOurs(line, type) ? [line] : [];
  }

  #note({ subtype, epoch, seq, check, resumed, message, code, from, to }: Record<string, unknown>): void {
    this.#next = undefined;
    if (subtype === 'error') throw new CLIConnectionError(`${String(message)} (${String(code)})`);
    if (subtype === 'gap') this.#options.onGap({ epoch: String(epoch), from: Number(from), to: Number(to) });
    if (typeof seq !== 'number' || typeof check !== 'number') return;
    if (subtype === 'cursor') this.#next = { seq, check };
    else if (subtype === 'attached' && resumed !== true) this.#startAt({ seq, check });
  }

  /** The hub cannot go on where this host was: what was said in between is lost to it. */
  #startAt(cursor: Cursor): void {
    const last = this.#seq;
    if (last !== undefined && cursor.seq !== last)
      this.#options.onGap({ epoch: RECORD, from: last + 1, to: cursor.seq });
    this.#reach(cursor);
  }

  #isNews(): boolean {
    const cursor = this.#next;
    this.#next = undefined;
    if (cursor === undefined) return true;
    if (this.#seq !== undefined && cursor.seq <= this.#seq) return false;
    this.#reach(cursor);
    return true;
  }

  #reach({ seq, check }: Cursor): void {
    this.#seq = seq;
    this.headers[CURSOR_HEADER] = `${seq}:${check}`;
  }

  #isOurs(line: WireLine, type: string | undefined): boolean {
    const { uuid, requestId } = line.head();
    switch (type) {
      case 'stream_event':
        return uuid === undefined || isNew(this.#parts, uuid);
      case 'user':
        return uuid === undefined || !this.#ownPrompts.delete(uuid);
      case 'control_request':
        return requestId !== undefined && this.#isAsked(requestId, line);
      default:
        return true;
    }
  }

  #isAsked(requestId: string, line: WireLine): boolean {
    // What is too deep to be read goes to the one who refuses it.
    if (line.isTooDeep) return isNew(this.#asked, requestId);
    const { subtype } = fieldsOf(fieldsOf(line.json())['request']);
    // It is asked again over a new connection, also while our answer is on its way.
    return this.#options.answers.has(String(subtype)) && isNew(this.#asked, requestId);
  }
}

/** Whether an id comes for the first time. */
function isNew(known: Set<string>, id: string): boolean {
  if (known.has(id)) return false;
  known.add(id);
  for (const oldest of known) {
    if (known.size <= REMEMBERED) break;
    known.delete(oldest);
  }
  return true;
}
