import { WebSocketTransport, type WebSocketTransportOptions } from '@signalbox/transport';
import { onTestFinished } from 'vitest';
import { until } from './test-parts.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
type Message = any;

/** An agent that says what the test tells it, over a real link. It answers when it is greeted. */
export class TestAgent {
  readonly heard: Message[] = [];
  readonly transport: WebSocketTransport;
  /** How it answers `initialize`; null when the test does. */
  greeting: Message = { subtype: 'success', response: {} };
  #failure: unknown;

  private constructor(transport: WebSocketTransport) {
    this.transport = transport;
  }

  static async dial(
    url: string,
    /** None where the relay is open. */
    token: string | undefined,
    options: WebSocketTransportOptions & { greeting?: Message } = {},
  ): Promise<TestAgent> {
    const { greeting, ...rest } = options;
    const transport = new WebSocketTransport(new URL(url.replace('http', 'ws')), {
      env: {},
      ...(token === undefined ? {} : { ingressToken: token }),
      lossless: true,
      reconnect: { attempts: 200, baseDelayMs: 50, maxDelayMs: 200 },
      closeTimeoutMs: 2000,
      ...rest,
    });
    const agent = new TestAgent(transport);
    if (greeting !== undefined) agent.greeting = greeting;
    onTestFinished(() => transport.close().catch(() => {}));
    await transport.connect();
    void agent.#listen();
    return agent;
  }

  get failure(): unknown {
    return this.#failure;
  }

  async say(message: Message): Promise<void> {
    await this.transport.send(JSON.stringify(message));
  }

  async ask(requestId: string, input: object = { command: 'ls' }, toolName = 'Bash'): Promise<void> {
    const request = { subtype: 'can_use_tool', tool_name: toolName, input, tool_use_id: `t-${requestId}` };
    await this.say({ type: 'control_request', request_id: requestId, request });
  }

  /** A turn of one word. */
  async play(text: string): Promise<void> {
    await this.say({
      type: 'system',
      subtype: 'init',
      session_id: 'a',
      cwd: '/',
      model: 'm',
      uuid: crypto.randomUUID(),
    });
    await this.say(assistant(text));
    await this.say({
      type: 'result',
      subtype: 'success',
      result: text,
      session_id: 'a',
      uuid: crypto.randomUUID(),
    });
  }

  /** The first that it heard and that fits; waits until there is one. */
  hears(fits: (message: Message) => boolean): Promise<Message> {
    return until(() => this.heard.find(fits));
  }

  /** Prompts, in their order. */
  get prompts(): string[] {
    return this.heard.filter(({ type }) => type === 'user').map(({ message }) => message.content);
  }

  async #listen(): Promise<void> {
    try {
      for await (const line of this.transport.receive()) {
        const message: Message = line.json();
        this.heard.push(message);
        if (this.greeting && message.request?.subtype === 'initialize') {
          const response = { request_id: message.request_id, ...this.greeting };
          await this.say({ type: 'control_response', response });
        }
      }
    } catch (error) {
      this.#failure = error;
    }
  }
}

export function assistant(text: string): Message {
  const message = { id: 'm', role: 'assistant', content: [{ type: 'text', text }] };
  return { type: 'assistant', message, parent_tool_use_id: null, session_id: 'a', uuid: crypto.randomUUID() };
}

export function delta(text: string): Message {
  const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
  return {
    type: 'stream_event',
    event,
    parent_tool_use_id: null,
    session_id: 'a',
    uuid: crypto.randomUUID(),
  };
}
