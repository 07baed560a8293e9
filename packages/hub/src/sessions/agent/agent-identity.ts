import { isJsonObject, type JsonObject, LIMITS, type WireLine } from '@signalbox/protocol';
import type { SessionRecord } from '../../store/record.ts';
import type { Dialler } from './agent-connection.ts';

/** An agent has begun another conversation: after `/clear`, a resume, or as another process. */
export interface Rotation {
  from: string;
  to: string;
}

/** What is known of an agent that dials in before it has spoken. */
export type Arrival = 'known' | 'another' | 'uncertain';

/** How far into a record its agent has introduced itself. */
const INTRODUCTION_WITHIN = 50;

/** What hosts may rely on in an introduction. */
const NOTHING_SAID: JsonObject = {
  commands: [],
  output_style: 'default',
  available_output_styles: [],
  models: [],
  account: {},
};

/** How often agents have named their conversation. */
let namings = 0;

/** Who the agent of a session is, told from its lines and from what it says when it dials. */
export class AgentIdentity {
  #session: string | null = null;
  #namedAt = 0;
  #run: string | undefined;
  #introduction: JsonObject | undefined;
  readonly #curious = new Set<(introduction: JsonObject) => void>();

  /** The agent's own name for its conversation, by which it can be resumed; null before it was told. */
  get session(): string | null {
    return this.#session;
  }

  /** Of agents that have the same name for their conversation, the one with the highest has said it last. */
  get namedAt(): number {
    return this.#namedAt;
  }

  /** What the agent said when it was greeted: its commands, its models. Waits for it until `signal` fires. */
  introduction(signal: AbortSignal): Promise<JsonObject> {
    if (this.#introduction) return Promise.resolve(this.#introduction);
    return new Promise((resolve, reject) => {
      this.#curious.add(resolve);
      const onAbort = (): void => {
        this.#curious.delete(resolve);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Which process the agent is, as far as it said so. */
  get run(): string | undefined {
    return this.#run;
  }

  /** The agent of another session has begun a conversation in this one. */
  succeed(before: AgentIdentity, conversation: string): void {
    this.#run = before.#run;
    before.#run = undefined;
    this.#session = conversation;
    this.#namedAt = ++namings;
    if (before.#introduction) this.#introduce(before.#introduction);
  }

  /** Take note of who dials in. */
  arrives({ via, run }: Dialler): Arrival {
    const before = this.#run;
    this.#run = run;
    if (run === undefined || before === undefined) return 'uncertain';
    if (run === before) return 'known';
    // An agent without a bridge will say itself whether it was greeted before.
    return via === 'bridge' ? 'another' : 'uncertain';
  }

  /** Take note of a line of the agent that may introduce it. */
  hear(line: WireLine): void {
    if (line.head().type === 'control_response') this.#meet(line);
  }

  /** Take note of which conversation a line of the agent belongs to; gives the rotation when it is one. */
  follow(line: WireLine): Rotation | undefined {
    const head = line.head();
    const from = this.#session;
    // Only a beginning makes a conversation another one; any line tells the first.
    if (from !== null && !(head.type === 'system' && head.subtype === 'init')) return undefined;
    const { sessionId } = head;
    if (!sessionId) return undefined;
    this.#namedAt = ++namings;
    if (sessionId === from) return undefined;
    this.#session = sessionId;
    return from === null ? undefined : { from, to: sessionId };
  }

  /** Take note of a line that an earlier process of the hub has heard. */
  recall(line: WireLine): void {
    this.hear(line);
    this.follow(line);
  }

  /** Find the introduction where a record begins. */
  async load(record: SessionRecord, session: string): Promise<void> {
    const { entries } = await record.window(session, 1, INTRODUCTION_WITHIN);
    for (const entry of entries) if (entry.kind === 'line') this.#meet(entry.line);
  }

  /** The agent was greeted: whoever waits for its introduction waits no longer, also when it said nothing. */
  greeted(): void {
    if (!this.#introduction) this.#introduce(NOTHING_SAID);
  }

  #meet(line: WireLine): void {
    const introduction = introductionIn(line);
    if (introduction) this.#introduce(introduction);
  }

  #introduce(introduction: JsonObject): void {
    this.#introduction = introduction;
    for (const tell of this.#curious) tell(introduction);
    this.#curious.clear();
  }
}

/** No other answer of an agent lists its commands. */
function introductionIn(line: WireLine): JsonObject | undefined {
  if (line.byteLength > LIMITS.askBytes.most) return undefined;
  try {
    const message = line.json();
    const answer = isJsonObject(message) ? message.response : undefined;
    const response = isJsonObject(answer) ? answer.response : undefined;
    return isJsonObject(response) && Array.isArray(response.commands) ? response : undefined;
  } catch {
    return undefined;
  }
}
