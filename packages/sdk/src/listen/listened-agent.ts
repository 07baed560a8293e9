import { isJsonObject, type JsonObject, LIMITS, WireLine } from '@signalbox/protocol';
import { AcceptedTransport, type LinkGap, type TransportState } from '@signalbox/transport';
import { type AgentPeer, PLAIN_PEER } from '../connect/agent-peer.ts';
import type { Connection } from '../connect/remote-agent.ts';
import { CLIConnectionError } from '../sdk-errors.ts';
import type { Observers } from './observers.ts';

/** What a {@link ListenedAgent} needs to know. */
export interface ListenedAgentOptions {
  /** Which process it is, if it says so. */
  run: string | undefined;
  answers: ReadonlySet<string>;
  onGap: (gap: LinkGap) => void;
  returnTimeoutMs: number;
  observers: Observers;
}

/** An agent that dialled in, over all its connections. What it asks is answered once, by the program or by an observer. */
export class ListenedAgent extends AcceptedTransport implements Connection {
  readonly run: string | undefined;
  readonly peer: AgentPeer;
  /** What it asks and nobody has answered. */
  readonly open = new Map<string, { line: WireLine; request: JsonObject }>();
  /** Its own name for its conversation. */
  conversation: string | undefined;
  /** When it was named, in the order of all. */
  namedAt = 0;
  readonly #options: ListenedAgentOptions;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: ListenedAgentOptions) {
    super({ lossless: true, surviveDrops: true, onGap: options.onGap });
    this.run = options.run;
    this.#options = options;
    this.peer = { ...PLAIN_PEER, incoming: (line) => this.#incoming(line) };
    this.onStateChange((state) => this.#waitForReturn(state));
  }

  /** The id of its last message. */
  get lastId(): string | undefined {
    return this.receiver.lastId;
  }

  /** It is there already: it has dialled. */
  async connect(): Promise<void> {}

  /** An answer of the program to what an observer has answered before is not sent. */
  override send(line: string | Uint8Array): Promise<void> {
    const said = WireLine.of(line);
    if (said.head().type !== 'control_response') return super.send(line);
    const requestId = requestIdOf(said);
    if (requestId !== undefined && !this.open.has(requestId)) return Promise.resolve();
    if (requestId !== undefined) this.#answered(requestId);
    return super.send(line);
  }

  /** An observer answers. Gives whether this was the first answer. */
  answer(requestId: string, response: JsonObject): boolean {
    if (!this.open.has(requestId)) return false;
    this.#answered(requestId);
    const answer = { subtype: 'success', request_id: requestId, response };
    super.send(JSON.stringify({ type: 'control_response', response: answer })).catch(() => {});
    // The program's callback need not go on.
    this.#told.push(WireLine.of(JSON.stringify({ type: 'control_cancel_request', request_id: requestId })));
    return true;
  }

  /** Its process is gone: what it has said is read, and nobody waits for more. */
  comesNoMore(): void {
    if (this.state === 'reconnecting') this.end();
    else this.onStateChange((state) => state === 'reconnecting' && this.end());
  }

  readonly #told: WireLine[] = [];

  #incoming(line: WireLine): readonly WireLine[] {
    const { observers, answers } = this.#options;
    const { type, subtype, sessionId, requestId } = line.head();
    if (sessionId && (this.conversation === undefined || (type === 'system' && subtype === 'init'))) {
      this.conversation = sessionId;
      this.namedAt = observers.nextNaming();
    }
    const lines = [...this.#told.splice(0), ...PLAIN_PEER.incoming(line)];
    if (type === 'control_cancel_request' && requestId !== undefined) this.open.delete(requestId);
    if (type === 'control_request' && requestId !== undefined && !line.isTooDeep) {
      const request = objectIn(line.json(), 'request');
      const isOurs = answers.has(String(request['subtype'])) || !isForPeople(request) || !observers.mayDrive;
      const others = lines.filter((one) => one !== line);
      if (!isOurs && !this.#hasRoomFor(line)) {
        this.#refuse(requestId);
        return others;
      }
      this.open.set(requestId, { line, request });
      observers.pass(line);
      return isOurs ? lines : others;
    }
    observers.pass(line);
    return lines;
  }

  /** What waits for observers is kept, and shown to each who comes. */
  #hasRoomFor(line: WireLine): boolean {
    if (this.open.size >= LIMITS.openAsks.most) return false;
    const bytes = [...this.open.values()].reduce((sum, open) => sum + open.line.byteLength, line.byteLength);
    return bytes <= LIMITS.sessionAskBytes.most;
  }

  #refuse(requestId: string): void {
    const error = `ASK_LIMIT: ${LIMITS.openAsks.most} questions, or ${LIMITS.sessionAskBytes.most} bytes of them, wait for people.`;
    const response = { subtype: 'error', request_id: requestId, error };
    super.send(JSON.stringify({ type: 'control_response', response })).catch(() => {});
  }

  #answered(requestId: string): void {
    this.open.delete(requestId);
    this.#options.observers.cancel(requestId);
  }

  #waitForReturn(state: TransportState): void {
    clearTimeout(this.#patience);
    if (state !== 'reconnecting') return;
    const { returnTimeoutMs } = this.#options;
    const lost = new CLIConnectionError(
      `The agent was cut off, and did not dial again in ${returnTimeoutMs} ms.`,
    );
    this.#patience = setTimeout(() => this.end(lost), returnTimeoutMs);
  }
}

/** What an agent asks hooks and servers of the program is nothing for observers. */
function isForPeople({ subtype }: JsonObject): boolean {
  return ['can_use_tool', 'elicitation', 'request_user_dialog'].includes(String(subtype));
}

function requestIdOf(line: WireLine): string | undefined {
  if (line.isTooDeep) return undefined;
  const { request_id: id } = objectIn(line.json(), 'response');
  return typeof id === 'string' ? id : undefined;
}

function objectIn(value: unknown, field: string): JsonObject {
  const found = isJsonObject(value) ? value[field] : undefined;
  return isJsonObject(found) ? found : {};
}
