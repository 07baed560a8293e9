import { once } from 'node:events';
import type { JsonObject } from '@signalbox/protocol';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';

const WAIT = { timeout: EVENT_MS, interval: 10 };

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
type Message = any;

/** A WebSocket with lines of JSON: an agent or an observer that knows nothing of us. */
export class BareClient {
  readonly socket: WebSocket;
  readonly heard: Message[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      for (const line of data.toString().split('\n').filter(Boolean)) this.#take(JSON.parse(line));
    });
    socket.on('error', () => {});
  }

  static async dial(url: string, headers: Record<string, string> = {}): Promise<BareClient> {
    const client = new BareClient(new WebSocket(url, { headers }));
    onTestFinished(() => client.socket.terminate());
    await once(client.socket, 'open');
    return client;
  }

  /** The status of an answer that is no WebSocket. */
  static async refusal(url: string, headers: Record<string, string> = {}): Promise<number> {
    const socket = new WebSocket(url, { headers });
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    socket.terminate();
    return response.statusCode;
  }

  say(message: JsonObject): void {
    this.socket.send(`${JSON.stringify(message)}\n`);
  }

  /** The first that it heard and that fits; waits until there is one. */
  hears(fits: (message: Message) => boolean): Promise<Message> {
    return vi.waitFor(() => {
      const found = this.heard.find(fits);
      if (!found) throw new Error(`not among ${JSON.stringify(this.heard)}`);
      return found;
    }, WAIT);
  }

  get statuses(): string[] {
    return this.heard.filter(({ type }) => type === 'status').map(({ text }) => text);
  }

  /** A turn without a word. */
  play(conversation: string, uuid: string = crypto.randomUUID()): void {
    this.say({ type: 'system', subtype: 'init', session_id: conversation, uuid: crypto.randomUUID() });
    this.say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'ok',
      session_id: conversation,
      uuid,
    });
  }

  ask(requestId: string): void {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { n: 1 }, tool_use_id: 't' };
    this.say({ type: 'control_request', request_id: requestId, request });
  }

  #take(message: Message): void {
    this.heard.push(message);
    if (message.request?.subtype !== 'initialize') return;
    const response = { subtype: 'success', request_id: message.request_id, response: { commands: [] } };
    this.say({ type: 'control_response', response });
  }
}
