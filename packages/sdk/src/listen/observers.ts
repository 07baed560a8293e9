import {
  encodeRelayStatus,
  isJsonObject,
  isRelayAnswer,
  type JsonObject,
  RELAY_STATUS,
  type WireLine,
} from '@signalbox/protocol';
import { AcceptedTransport } from '@signalbox/transport';
import type { ListenedAgent } from './listened-agent.ts';

/** What may wait for an observer that reads slowly; one with more is closed. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Between an agent and its host, or of no use to it. */
const NOT_PASSED_ON: ReadonlySet<unknown> = new Set(['status', 'hub', 'bridge', 'keep_alive']);

/** One who hears all agents. */
export class ObserverTransport extends AcceptedTransport {
  #waiting = 0;

  write(line: string | Uint8Array): void {
    this.#waiting += line.length;
    if (this.#waiting > MAX_WAITING_BYTES) return this.end();
    this.send(line).then(
      () => void (this.#waiting -= line.length),
      () => {},
    );
  }
}

/** Those who hear what all agents say, and are heard where they may drive. */
export class Observers {
  readonly mayDrive: boolean;
  readonly #agents: ReadonlySet<ListenedAgent>;
  readonly #observers = new Set<ObserverTransport>();
  #namings = 0;

  constructor(agents: ReadonlySet<ListenedAgent>, mayDrive: boolean) {
    this.#agents = agents;
    this.mayDrive = mayDrive;
  }

  add(observer: ObserverTransport): void {
    this.#observers.add(observer);
    void this.#hear(observer);
    for (const agent of this.#agents) {
      if (agent.state === 'connected') observer.write(statusLine(agent, RELAY_STATUS.alreadyConnected));
      for (const { line } of agent.open.values()) observer.write(line.bytes());
    }
  }

  pass(line: WireLine): void {
    for (const observer of this.#observers) observer.write(line.bytes());
  }

  status(agent: ListenedAgent, change: 'connected' | 'disconnected'): void {
    for (const observer of this.#observers) observer.write(statusLine(agent, RELAY_STATUS[change]));
  }

  /** Somebody has answered: nobody else need. */
  cancel(requestId: string): void {
    const line = JSON.stringify({ type: 'control_cancel_request', request_id: requestId });
    for (const observer of this.#observers) observer.write(line);
  }

  nextNaming(): number {
    this.#namings += 1;
    return this.#namings;
  }

  close(): void {
    for (const observer of this.#observers) observer.close().catch(() => {});
  }

  async #hear(observer: ObserverTransport): Promise<void> {
    try {
      for await (const line of observer.receive()) {
        const problem = this.mayDrive ? await this.#take(line) : 'Observers only watch here.';
        if (problem) observer.write(encodeRelayStatus({ type: 'status', text: problem }));
      }
    } catch {
      // One that breaks off has left like any other.
    }
    this.#observers.delete(observer);
  }

  /** Gives why a line went nowhere. */
  async #take(line: WireLine): Promise<string | undefined> {
    const message = messageIn(line);
    if (!message) return 'A line is a JSON object with a type. This one was not passed on.';
    if (NOT_PASSED_ON.has(message['type'])) return undefined;
    if (message['type'] === 'control_response') return this.#answer(message);
    const agent = this.#addressee(message['session_id']);
    if (typeof agent === 'string') return agent;
    return agent.send(line.bytes()).then(
      () => undefined,
      () => 'The agent is gone: nothing was delivered.',
    );
  }

  #answer(message: JsonObject): string | undefined {
    const inner = isJsonObject(message['response']) ? message['response'] : {};
    const requestId = String(isRelayAnswer(message) ? message.request_id : inner['request_id']);
    const [asking, ...others] = [...this.#agents].filter(({ open }) => open.has(requestId));
    if (others.length > 0) return 'Several agents ask under this id: nothing was answered.';
    const { request } = asking?.open.get(requestId) ?? {};
    // What nobody asks any more was answered by somebody else.
    if (!asking || !request) return undefined;
    if (isRelayAnswer(message)) {
      const { allow, message: why = 'The person said no.' } = message.permission;
      const input = isJsonObject(request['input']) ? request['input'] : {};
      asking.answer(
        requestId,
        allow ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: why },
      );
    } else if (inner['subtype'] === 'success' && isJsonObject(inner['response']))
      asking.answer(requestId, inner['response']);
    return undefined;
  }

  /** The agent that last gave its conversation this name, or the only one; a text that says why there is none. */
  #addressee(named: unknown): ListenedAgent | string {
    const all = [...this.#agents];
    if (typeof named === 'string' && named !== '') {
      const those = all.filter(({ conversation }) => conversation === named);
      const last = those.toSorted((one, other) => other.namedAt - one.namedAt)[0];
      return (
        last ?? `No agent has the session_id ${JSON.stringify(named.slice(0, 100))}: nothing was delivered.`
      );
    }
    const [only, ...others] = all;
    if (!only) return 'No agent is connected.';
    return others.length === 0
      ? only
      : 'Several agents are connected: say which one is meant by its session_id.';
  }
}

function statusLine({ conversation }: ListenedAgent, text: string): string {
  return encodeRelayStatus({
    type: 'status',
    text,
    ...(conversation === undefined ? {} : { session_id: conversation }),
  });
}

function messageIn(line: WireLine): JsonObject | undefined {
  if (line.isTooDeep) return undefined;
  try {
    const message = line.json();
    return isJsonObject(message) && typeof message['type'] === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
