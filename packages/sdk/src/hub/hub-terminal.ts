import { isJsonObject, parseJson } from '@signalbox/protocol';
import {
  protocolsFor,
  type TerminalClientMessage,
  type TerminalExit,
  type TerminalMessage,
  type TerminalPosition,
  type TerminalSize,
} from '@signalbox/protocol/hub';
import { QueryFilter } from '@signalbox/protocol/terminal';
import { isFinalClose, type ReconnectPolicy, reconnectDelayMs } from '@signalbox/transport/reconnect';
import { platformSocket } from '#socket';
import type { Socket, SocketConstructor } from '../socket/socket.ts';
import { HubApi } from './hub-api.ts';
import { HubRefusedError } from './hub-errors.ts';
import type { HubAddress } from './hub-requests.ts';
import { socketBase } from './socket-base.ts';

/** Somebody sits there and waits. */
const PATIENCE: ReconnectPolicy = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 100, maxDelayMs: 2000 };

const DIAL_MS = 20_000;

/** The hub hears of what was drawn after so many bytes: much less than it sends ahead. */
const ACK_BYTES = 64 * 1024;

/** What is typed or pasted is sent in parts of this length. */
const INPUT_CHUNK_BYTES = 16 * 1024;

/** So much may be typed before the first screen has come. */
const TYPED_AHEAD_BYTES = 64 * 1024;

/** `waiting`: the connection broke, and is tried again. `refused`: there is no such terminal, or the token is not good. */
export type HubTerminalState = 'connecting' | 'open' | 'waiting' | 'ended' | 'refused' | 'closed';

/** The screen of a terminal as it is. */
export interface TerminalScreen extends TerminalSize {
  /** What draws it on an empty terminal of this size. */
  data: string;
  mayType: boolean;
}

/** Which terminal, and who shows it. */
export interface HubTerminalOptions extends HubAddress {
  session: string;
  number: number;
  /** What the own screen has room for. */
  size?: TerminalSize;
  /** How many lines are wanted that have left the screen. */
  scrollback?: number;
  /** Forget all, and draw this. */
  onScreen: (screen: TerminalScreen) => void | Promise<void>;
  /** Draw this after what was there; the next is sent when enough was drawn. */
  onOutput: (bytes: Uint8Array) => void | Promise<void>;
  /** The terminal has another size, whoever it comes from. */
  onResize?: (size: TerminalSize) => void;
  onBell?: () => void;
  /** The shell has ended; null when its process was killed. */
  onExit?: (exit: TerminalExit | null) => void;
  onState?: (state: HubTerminalState) => void;
  /** Something that was sent was not taken, or the terminal is not there. */
  onTrouble?: (error: HubRefusedError) => void;
  /** What the program asks its terminal is answered by the hub's machine: it is left out, unless it is wanted. */
  queries?: 'drop' | 'keep';
  reconnect?: Partial<ReconnectPolicy>;
  /** The class of its connections, where the platform's own will not do. */
  WebSocket?: SocketConstructor;
}

/** A terminal of a session, live: breaks are mended, and what comes after one goes on at the very byte where it broke. */
export class HubTerminal {
  readonly #options: HubTerminalOptions;
  readonly #url: string;
  readonly #policy: ReconnectPolicy;
  #state: HubTerminalState = 'connecting';
  #socket: Socket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #size: TerminalSize | undefined;
  #position: TerminalPosition | undefined;
  #filter = new QueryFilter();
  #acked = 0;
  #typedAhead: Uint8Array[] = [];

  /** Connects at once. */
  constructor(options: HubTerminalOptions) {
    const { session, number, url, size, reconnect } = options;
    this.#options = options;
    this.#size = size;
    this.#url = `${socketBase(url)}/api/sessions/${encodeURIComponent(session)}/terminals/${number}`;
    this.#policy = { ...PATIENCE, ...reconnect };
    this.#dial();
  }

  get state(): HubTerminalState {
    return this.#state;
  }

  /** How much of the output has come. */
  get position(): TerminalPosition | undefined {
    return this.#position;
  }

  /**
   * Type something. What is typed before the first screen has come is sent after it. False when the connection broke: then it is not sent
   * later, to whatever runs by then.
   */
  type(input: string | Uint8Array): boolean {
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
    if (this.#state !== 'open') return this.#typeAhead(bytes);
    for (let at = 0; at < bytes.length; at += INPUT_CHUNK_BYTES)
      this.#socket?.send(bytes.subarray(at, at + INPUT_CHUNK_BYTES));
    return true;
  }

  #typeAhead(bytes: Uint8Array): boolean {
    const isStarting = !this.#position && (this.#state === 'connecting' || this.#state === 'waiting');
    const length = this.#typedAhead.reduce((sum, typed) => sum + typed.length, bytes.length);
    if (!isStarting || length > TYPED_AHEAD_BYTES) return false;
    this.#typedAhead.push(bytes);
    return true;
  }

  /** What the own screen has room for; the terminal takes the size of whoever types. */
  resize({ cols, rows }: TerminalSize): void {
    this.#size = { cols, rows };
    if (this.#state === 'open') this.#say({ type: 'resize', cols, rows });
  }

  /** Connect anew: for a page that was asleep, or whose network has come or gone. */
  wake(): void {
    if (this.#state === 'ended' || this.#state === 'refused' || this.#state === 'closed') return;
    const left = this.#socket;
    this.#socket = undefined;
    left?.close();
    this.#dial();
  }

  close(): void {
    this.#end('closed');
  }

  #dial(): void {
    const { token, WebSocket: Constructor = platformSocket() } = this.#options;
    clearTimeout(this.#retry);
    this.#enter('connecting');
    const socket = new Constructor(this.#url, protocolsFor(token));
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const patience = setTimeout(() => socket.close(), DIAL_MS);
    const isCurrent = (): boolean => this.#socket === socket;
    let wasOpen = false;
    socket.addEventListener('open', () => {
      wasOpen = true;
      clearTimeout(patience);
      if (isCurrent()) this.#attach();
    });
    socket.addEventListener('message', ({ data }) => {
      if (!isCurrent()) return;
      if (data instanceof ArrayBuffer) this.#output(new Uint8Array(data));
      else if (typeof data === 'string') this.#hear(data);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      clearTimeout(patience);
      if (isCurrent()) void this.#dropped(wasOpen, code, reason);
    });
    // The close that follows says more.
    socket.addEventListener('error', () => {});
  }

  #attach(): void {
    const { scrollback = 0 } = this.#options;
    this.#say({
      type: 'attach',
      scrollback,
      ...(this.#position ? { at: this.#position } : {}),
      ...(this.#size ? { size: this.#size } : {}),
    });
  }

  #hear(text: string): void {
    const message = messageIn(text);
    const { onResize, onBell, onExit, onTrouble } = this.#options;
    switch (message?.type) {
      case 'screen':
      case 'resumed':
        return this.#begin(message);
      case 'resize':
        return onResize?.({ cols: message.cols, rows: message.rows });
      case 'bell':
        return onBell?.();
      case 'exit':
        this.#end('ended');
        return onExit?.(message.exit);
      case 'error':
        return onTrouble?.(new HubRefusedError(message.code, message.message));
      default:
    }
  }

  #begin(message: Extract<TerminalMessage, { type: 'screen' | 'resumed' }>): void {
    const { epoch, offset, cols, rows, mayType } = message;
    this.#position = { epoch, offset };
    this.#acked = offset;
    this.#failures = 0;
    if (message.type === 'screen') {
      this.#filter = new QueryFilter();
      const position = this.#position;
      const drawn = this.#options.onScreen({ data: message.data, cols, rows, mayType });
      void Promise.resolve(drawn).then(() => this.#drewScreen(position, offset));
    } else this.#options.onResize?.({ cols, rows });
    this.#enter('open');
    const typed = this.#typedAhead;
    this.#typedAhead = [];
    if (mayType) for (const bytes of typed) this.type(bytes);
  }

  #output(bytes: Uint8Array): void {
    const position = this.#position;
    if (!position) return;
    position.offset += bytes.length;
    const { offset } = position;
    const shown = this.#options.queries === 'keep' ? bytes : this.#filter.push(bytes);
    const drawn = shown.length === 0 ? undefined : this.#options.onOutput(shown);
    if (drawn instanceof Promise) void drawn.then(() => this.#drew(position, offset));
    else this.#drew(position, offset);
  }

  #drew(position: TerminalPosition, offset: number): void {
    // Of a connection, or a screen, that is no more.
    if (this.#position !== position || this.#state !== 'open' || offset - this.#acked < ACK_BYTES) return;
    this.#acked = offset;
    this.#say({ type: 'ack', offset });
  }

  /** While much is printed, the next screen comes once the last one was drawn. */
  #drewScreen(position: TerminalPosition, offset: number): void {
    if (this.#position === position && this.#state === 'open') this.#say({ type: 'ack', offset });
  }

  async #dropped(wasOpen: boolean, code: number, reason: string): Promise<void> {
    this.#socket = undefined;
    this.#failures += 1;
    if (wasOpen && isFinalClose(code)) return this.#refuse(new HubRefusedError('TERMINAL_CLOSED', reason));
    // Neither is a page told why it was not let in.
    this.#enter('waiting');
    const refusal = wasOpen ? undefined : await this.#refusal();
    // Somebody closed or woke it meanwhile.
    if (this.state !== 'waiting' || this.#socket) return;
    if (refusal) return this.#refuse(refusal);
    this.#retry = setTimeout(() => this.#dial(), reconnectDelayMs(this.#failures, this.#policy));
  }

  async #refusal(): Promise<HubRefusedError | undefined> {
    const { session, number } = this.#options;
    try {
      const terminals = await new HubApi(this.#options, { answerMs: DIAL_MS }).terminals(session);
      if (terminals.some((terminal) => terminal.number === number)) return undefined;
      return new HubRefusedError('TERMINAL_NOT_FOUND', `There is no terminal ${number} any more.`, 404);
    } catch (error) {
      const isFinal = error instanceof HubRefusedError && [401, 403, 404].includes(error.status ?? 0);
      return isFinal ? error : undefined;
    }
  }

  #refuse(error: HubRefusedError): void {
    this.#end('refused');
    this.#options.onTrouble?.(error);
  }

  #end(state: 'ended' | 'refused' | 'closed'): void {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#enter(state);
    socket?.close(1000);
  }

  #say(message: TerminalClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #enter(state: HubTerminalState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }
}

function messageIn(text: string): TerminalMessage | undefined {
  try {
    const message = parseJson(text);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub says each message in its own shape
    return isJsonObject(message) ? (message as unknown as TerminalMessage) : undefined;
  } catch {
    return undefined;
  }
}
