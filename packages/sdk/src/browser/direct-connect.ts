import { SignalboxError } from '@signalbox/protocol';
import { protocolsFor } from '@signalbox/protocol/hub';
import {
  DEFAULT_RECONNECT,
  isFinalClose,
  type ReconnectPolicy,
  reconnectDelayMs,
} from '@signalbox/transport/reconnect';
import { platformSocket } from '#socket';
import type { Socket, SocketConstructor } from '../socket/socket.ts';
import type { MessageParam } from '../types/api-message.ts';
import type { SDKMessage } from '../types/messages.ts';
import type { PermissionResult, PermissionUpdate } from '../types/permissions.ts';
import { SeenMessages } from './seen-messages.ts';
import { type Said, wordsIn } from './words.ts';

/** What may wait to be sent before `sendMessage` refuses more. */
export const SEND_LIMIT_BYTES = 16 * 1024 * 1024;

/** A page cannot tell a refusal from an outage: it does not try for ever. */
const ATTEMPTS = 10;

const NORMAL_CLOSE = 1000;

/** Where to connect. */
export interface DirectConnectConfig {
  wsUrl: string;
  authToken?: string;
  /** How to come back when the connection breaks; `attempts: 0` never does. */
  reconnect?: Partial<ReconnectPolicy>;
  /** The class of its connections, where the platform's own will not do. */
  WebSocket?: SocketConstructor;
}

/** A tool call that the agent asks about. */
export interface PermissionRequest {
  subtype: 'can_use_tool';
  tool_name: string;
  input: Record<string, unknown>;
  tool_use_id: string;
  permission_suggestions?: PermissionUpdate[];
  blocked_path?: string;
  decision_reason?: string;
  [more: string]: unknown;
}

/** What to do when something happens. */
export interface DirectConnectCallbacks {
  onMessage: (message: SDKMessage) => void;
  /** Answer with `respondToPermissionRequest`. */
  onPermissionRequest: (request: PermissionRequest, requestId: string) => void;
  /** Nobody waits for the answer any more. */
  onPermissionCancelled?: (requestId: string) => void;
  /** Also after the connection came back. */
  onConnected?: () => void;
  /** Also when it is about to be tried again. */
  onDisconnected?: () => void;
  onError?: (error: Error) => void;
}

/** The connection was refused, or broke and did not come back. */
export class ConnectionEndedError extends SignalboxError {
  readonly closeCode: number;

  constructor(code: number, reason: string) {
    const why = reason === '' ? '' : ` (${reason})`;
    super(
      'CONNECTION_ENDED',
      `The connection was closed with code ${code}${why}. Check address and token, then connect() again.`,
    );
    this.closeCode = code;
  }
}

/** Talks to an agent from a web page, and comes back when the connection breaks. */
export class DirectConnect {
  readonly #config: DirectConnectConfig;
  readonly #callbacks: DirectConnectCallbacks;
  readonly #policy: ReconnectPolicy;
  readonly #seen = new SeenMessages();
  /** Permission requests that nobody has answered. */
  readonly #open = new Set<string>();
  #state: 'idle' | 'connecting' | 'connected' | 'waiting' = 'idle';
  #socket: Socket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #requests = 0;

  constructor(config: DirectConnectConfig, callbacks: DirectConnectCallbacks) {
    this.#config = config;
    this.#callbacks = callbacks;
    this.#policy = { ...DEFAULT_RECONNECT, attempts: ATTEMPTS, ...config.reconnect };
  }

  /** Connect, unless that is done or under way. */
  connect(): void {
    if (this.#state !== 'idle') return;
    this.#failures = 0;
    this.#dial();
  }

  isConnected(): boolean {
    return this.#state === 'connected';
  }

  /** Send a prompt. False when there is no connection, or too much waits to be sent. */
  sendMessage(content: MessageParam['content']): boolean {
    return this.#send({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
    });
  }

  /** Answer a permission request. False when that could not be sent. */
  respondToPermissionRequest(requestId: string, response: PermissionResult): boolean {
    const isSent = this.#answer(requestId, { subtype: 'success', response });
    if (isSent) this.#open.delete(requestId);
    return isSent;
  }

  /** Stop the turn. False when that could not be sent. */
  sendInterrupt(): boolean {
    this.#requests += 1;
    // Pages without TLS have no crypto.randomUUID.
    const request_id = `${Date.now().toString(36)}-${this.#requests}`;
    return this.#send({ type: 'control_request', request_id, request: { subtype: 'interrupt' } });
  }

  /** Leave for good; `connect` begins anew. */
  disconnect(): void {
    clearTimeout(this.#retry);
    const wasConnected = this.isConnected();
    this.#letGo()?.close(NORMAL_CLOSE);
    this.#open.clear();
    if (wasConnected) this.#callbacks.onDisconnected?.();
  }

  #dial(): void {
    const { wsUrl, authToken, WebSocket: Constructor = platformSocket() } = this.#config;
    this.#state = 'connecting';
    const socket = new Constructor(wsUrl, protocolsFor(authToken));
    this.#socket = socket;
    // What a socket says after it was let go is nobody's business any more.
    const isCurrent = (): boolean => this.#socket === socket;
    socket.addEventListener('open', () => isCurrent() && this.#opened());
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#arrived(data));
    socket.addEventListener('close', ({ code, reason }) => {
      if (isCurrent()) this.#dropped(code, reason);
    });
    // The close that follows says more.
    socket.addEventListener('error', () => {});
  }

  #opened(): void {
    this.#state = 'connected';
    this.#failures = 0;
    this.#seen.newConnection();
    this.#callbacks.onConnected?.();
  }

  #arrived(data: unknown): void {
    for (const said of wordsIn(data, (error) => this.#callbacks.onError?.(error))) this.#heard(said);
  }

  #dropped(code: number, reason: string): void {
    const wasConnected = this.isConnected();
    this.#letGo();
    this.#failures += 1;
    const mayReturn = !isFinalClose(code) && this.#failures <= this.#policy.attempts;
    if (mayReturn) {
      this.#state = 'waiting';
      this.#retry = setTimeout(() => this.#dial(), reconnectDelayMs(this.#failures, this.#policy));
    }
    if (wasConnected) this.#callbacks.onDisconnected?.();
    if (!mayReturn && code !== NORMAL_CLOSE)
      this.#callbacks.onError?.(new ConnectionEndedError(code, reason));
  }

  #letGo(): Socket | undefined {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#state = 'idle';
    return socket;
  }

  #heard(said: Said): void {
    switch (said.kind) {
      case 'message':
        if (!this.#seen.isRepetition(said.id)) this.#callbacks.onMessage(said.message);
        break;
      case 'permission':
        // Asked again after a break: it is on somebody's screen already.
        if (this.#open.has(said.requestId)) break;
        this.#open.add(said.requestId);
        this.#callbacks.onPermissionRequest(said.request, said.requestId);
        break;
      case 'question':
        // Left without an answer, the agent would wait for ever.
        this.#answer(said.requestId, { subtype: 'error', error: `${said.subtype} is not supported here` });
        break;
      case 'cancel':
        if (this.#open.delete(said.requestId)) this.#callbacks.onPermissionCancelled?.(said.requestId);
        break;
      case 'refusal':
        this.#callbacks.onError?.(new Error(said.error));
    }
  }

  #answer(request_id: string, response: object): boolean {
    return this.#send({ type: 'control_response', response: { request_id, ...response } });
  }

  #send(message: object): boolean {
    const socket = this.isConnected() ? this.#socket : undefined;
    if (!socket || socket.bufferedAmount > SEND_LIMIT_BYTES) return false;
    socket.send(JSON.stringify(message));
    return true;
  }
}
