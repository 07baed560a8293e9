import { once } from 'node:events';
import { until } from '@signalbox/testing/hub/test-parts';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
type Message = any;

/** A frontend of the agents-ui kind: it knows lines, statuses and approvals, and nothing of hubs. */
export class TestFrontend {
  readonly lines: string[] = [];
  readonly socket: WebSocket;
  closed: number | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      if (Buffer.isBuffer(data)) this.lines.push(...data.toString().split('\n').filter(Boolean));
    });
    socket.on('close', (code) => {
      this.closed = code;
    });
    socket.on('error', () => {});
  }

  static async connect(url: string, options: ClientOptions & { token?: string } = {}): Promise<TestFrontend> {
    const { token, ...rest } = options;
    const headers = { ...rest.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const socket = new WebSocket(url.replace('http', 'ws'), { ...rest, headers });
    const frontend = new TestFrontend(socket);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return frontend;
  }

  /** What the hub answered instead of letting one in. */
  static async refusal(url: string, options: ClientOptions = {}): Promise<number> {
    const socket = new WebSocket(url.replace('http', 'ws'), options);
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    socket.terminate();
    return response.statusCode;
  }

  get messages(): Message[] {
    return this.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  }

  get statuses(): string[] {
    return this.messages.filter(({ type }) => type === 'status').map(({ text }) => text);
  }

  say(message: Message): void {
    this.socket.send(JSON.stringify(message));
  }

  prompt(content: string, { uuid, to = '' }: { uuid?: string; to?: string } = {}): void {
    const message = { role: 'user', content };
    this.say({ type: 'user', message, parent_tool_use_id: null, session_id: to, ...(uuid ? { uuid } : {}) });
  }

  /** The first message that fits; waits until there is one. */
  finds(fits: (message: Message) => boolean): Promise<Message> {
    return until(() => this.messages.find(fits));
  }
}
