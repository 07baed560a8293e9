import {
  type Channel,
  ControlPeer,
  ControlRefusedError,
  type JsonObject,
  parseAgentMessage,
} from '@signalbox/protocol';
import { check, Mismatch } from './check.ts';
import { fieldsOf, isResult, kindOf, type ToolOutcome, toolOutcomes } from './messages.ts';

/** Longer than any single step of a scenario takes, also on a busy machine. */
const STEP_LIMIT_MS = 20_000;

/** Says what the host answers when the agent asks for a permission. */
export type PermissionAnswer = (
  request: JsonObject,
  context: { readonly requestId: string },
) => JsonObject | Promise<JsonObject>;

export const allow: PermissionAnswer = ({ input }) => ({ behavior: 'allow', updatedInput: input });

export function deny(message = 'not today', more: JsonObject = {}): PermissionAnswer {
  return () => ({ behavior: 'deny', message, ...more });
}

/** What one prompt led to. */
export interface Turn {
  readonly messages: readonly JsonObject[];
  readonly result: JsonObject;
  /** What its first tool call gave. */
  readonly tool: ToolOutcome;
}

const NO_TOOL: ToolOutcome = { text: '', isError: false, blocks: [], structured: undefined };

/** A host's side of a conversation with an agent, over whatever carries lines. */
export class Conversation {
  /** All that the agent said, apart from control messages. Every one of them must parse. */
  readonly messages: JsonObject[] = [];
  /** The permission requests so far. */
  readonly asked: JsonObject[] = [];
  readonly #peer: ControlPeer;
  readonly #reading: Promise<unknown>;
  readonly #lookers = new Set<() => void>();

  constructor(channel: Channel, onPermission?: PermissionAnswer) {
    this.#peer = new ControlPeer(channel, {
      defaultTimeoutMs: STEP_LIMIT_MS,
      onMessage: (line) => {
        const message = line.json();
        parseAgentMessage(message);
        this.messages.push(fieldsOf(message));
        this.#look();
      },
    });
    if (onPermission) {
      this.#peer.handle('can_use_tool', (request, context) => {
        this.asked.push(request);
        this.#look();
        return onPermission(request, context);
      });
    }
    // Whoever waits learns of the end by looking.
    this.#reading = this.#peer.run().then(
      () => new Mismatch('The agent ended in mid-conversation'),
      (error: unknown) => error,
    );
  }

  /** Settles when the agent says nothing more. */
  get ended(): Promise<unknown> {
    return this.#reading;
  }

  say(content: unknown, fields: JsonObject = {}): Promise<void> {
    const message = { role: 'user', content };
    return this.#peer.send({ type: 'user', message, parent_tool_use_id: null, session_id: '', ...fields });
  }

  send(message: JsonObject): Promise<void> {
    return this.#peer.send(message);
  }

  /** One prompt and all that follows, up to its result. */
  async turn(content: unknown, fields: JsonObject = {}): Promise<Turn> {
    const mark = this.messages.length;
    await this.say(content, fields);
    return this.rest(mark);
  }

  /** What the agent says about itself when a turn begins. */
  async init(): Promise<JsonObject> {
    const { messages } = await this.turn('say hi');
    return messages.find((message) => kindOf(message) === 'system/init') ?? {};
  }

  /** What the agent says from message number `mark` on, up to the next result. */
  async rest(mark: number): Promise<Turn> {
    const result = await this.next(isResult, mark);
    const messages = this.messages.slice(mark, this.messages.indexOf(result) + 1);
    return { messages, result, tool: toolOutcomes(messages)[0] ?? NO_TOOL };
  }

  /** The first message from number `mark` on that fits, now or later. */
  next(fits: (message: JsonObject) => boolean, mark = 0): Promise<JsonObject> {
    return this.#until(() => this.messages.slice(mark).find(fits));
  }

  /** The `count`th permission request, now or later. */
  question(count = 1): Promise<JsonObject> {
    return this.#until(() => this.asked[count - 1]);
  }

  control(subtype: string, fields: JsonObject = {}): Promise<JsonObject> {
    return this.#peer.request({ subtype, ...fields });
  }

  /** Answer what the agent asks for with this subtype. */
  handle(subtype: string, answer: (request: JsonObject) => JsonObject | Promise<JsonObject>): void {
    this.#peer.handle(subtype, answer);
  }

  /** The error answer to a control request that the agent must refuse. */
  async refused(subtype: string, fields: JsonObject = {}): Promise<JsonObject> {
    try {
      await this.control(subtype, fields);
    } catch (error) {
      check(error instanceof ControlRefusedError, `${subtype} was not answered: ${String(error)}`);
      return error.response;
    }
    throw new Mismatch(`${subtype} was answered with a success`);
  }

  #until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const tryNow = (): void => {
        const found = look();
        if (found !== undefined) settle(() => resolve(found));
      };
      const settle = (outcome: () => void): void => {
        this.#lookers.delete(tryNow);
        clearTimeout(timer);
        outcome();
      };
      const timer = setTimeout(() => {
        const said = this.messages.slice(-8).map(kindOf).join(', ');
        settle(() => reject(new Mismatch(`waited in vain; the last messages were: ${said}`)));
      }, STEP_LIMIT_MS);
      this.#lookers.add(tryNow);
      tryNow();
      void this.#reading.then((error) => settle(() => reject(error)));
    });
  }

  #look(): void {
    for (const look of this.#lookers) look();
  }
}
