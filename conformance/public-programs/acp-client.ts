import { type JsonObject, listAt, objectAt } from '@signalbox/protocol';
import { type ChildTransport, spawnTransport } from '@signalbox/transport';
import { Mismatch } from '../check.ts';
import { fieldsOf } from '../messages.ts';

/** What a person does when an editor shows them a question of the agent: choose an option of this kind, or wait. */
export type Choice = 'allow_once' | 'reject_once' | 'wait';

const CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };

interface Pending {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** A small editor: the client's side of the Agent Client Protocol (JSON-RPC, a message a line), with an adapter as its child. */
export class AcpClient {
  /** What the adapter told without being asked, in order. */
  readonly updates: JsonObject[] = [];
  /** The permissions it asked for. */
  readonly asked: JsonObject[] = [];
  choice: Choice = 'allow_once';
  readonly #child: ChildTransport;
  readonly #pending = new Map<number, Pending>();
  /** The questions that wait for a person. */
  readonly #open: unknown[] = [];
  readonly #watchers = new Set<() => void>();
  #lastId = 0;

  private constructor(child: ChildTransport) {
    this.#child = child;
    void this.#read();
  }

  static async start(
    command: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string> },
  ): Promise<AcpClient> {
    return new AcpClient(await spawnTransport({ command, args: [...args], ...options }));
  }

  async request(method: string, params: JsonObject): Promise<JsonObject> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<JsonObject>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    await this.#send({ id, method, params });
    return answered;
  }

  notify(method: string, params: JsonObject): Promise<void> {
    return this.#send({ method, params });
  }

  /** Stop the turn, and take back the questions that were open, as the protocol wants it. */
  async cancel(sessionId: string): Promise<void> {
    await this.notify('session/cancel', { sessionId });
    for (const id of this.#open.splice(0)) await this.#send({ id, result: CANCELLED });
  }

  /** Settles when `look` finds something in what the adapter said so far, or says later. */
  until(look: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const tryNow = (): void => {
        if (!look()) return;
        this.#watchers.delete(tryNow);
        resolve();
      };
      this.#watchers.add(tryNow);
      tryNow();
    });
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.close();
  }

  #send(message: JsonObject): Promise<void> {
    return this.#child.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async #read(): Promise<void> {
    for await (const line of this.#child.receive()) await this.#take(fieldsOf(line.json()));
    const gone = new Mismatch(`the adapter is gone: ${this.#child.stderrTail}`);
    for (const pending of this.#pending.values()) pending.reject(gone);
  }

  async #take(message: JsonObject): Promise<void> {
    const { id, method } = message;
    const params = objectAt(message, 'params');
    if (method === 'session/request_permission') await this.#ask(id, params);
    else if (method === 'session/update') this.updates.push(objectAt(params, 'update'));
    else if (typeof method === 'string' && id !== undefined)
      await this.#send({ id, error: { code: -32601, message: `this editor has no ${method}` } });
    else if (typeof id === 'number') this.#settle(id, message);
    for (const look of this.#watchers) look();
  }

  async #ask(id: unknown, question: JsonObject): Promise<void> {
    this.asked.push(question);
    if (this.choice === 'wait') {
      this.#open.push(id);
      return;
    }
    const options = listAt(question, 'options').map(fieldsOf);
    const chosen = options.find(({ kind }) => kind === this.choice);
    const result = chosen ? { outcome: { outcome: 'selected', optionId: chosen['optionId'] } } : CANCELLED;
    await this.#send({ id, result });
  }

  #settle(id: number, message: JsonObject): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!('error' in message)) pending?.resolve(objectAt(message, 'result'));
    else pending?.reject(new Mismatch(`the adapter refused: ${JSON.stringify(message['error'])}`));
  }
}
