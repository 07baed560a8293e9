import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@signalbox/protocol';
import { LINE_PROTOCOL } from '@signalbox/protocol/hub';
import { answerPings } from '@signalbox/transport';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { DeviceQuotas } from '../../auth/device-quotas.ts';
import type { TerminalService } from '../../service/terminal-service.ts';
import type { Device } from '../../store/device.ts';
import type { Terminals } from '../../terminals/terminals.ts';
import { NoSuchDoorError } from '../http/door-errors.ts';
import { startPings } from '../http/socket-pings.ts';
import { TERMINAL_CLOSE, TerminalViewer } from './terminal-viewer.ts';

/** Where people look at a terminal, and where its process dials in. */
const VIEWER = /^\/api\/sessions\/([^/]+)\/terminals\/(\d{1,9})$/;
const PROCESS = /^\/terminal\/([^/]+)\/(\d{1,9})$/;

const SERVER: ServerOptions = {
  noServer: true,
  // The token that a page sends beside it must not be chosen, and so repeated.
  handleProtocols: (offered) => offered.has(LINE_PROTOCOL) && LINE_PROTOCOL,
};

/** Where terminals come in, and those who look at them. */
export class TerminalDoor {
  readonly #service: TerminalService;
  readonly #terminals: Terminals;
  readonly #quotas: DeviceQuotas;
  readonly #onTrouble: (error: unknown, session: string) => void;
  readonly #viewers = new Set<WebSocket>();
  readonly #forViewers = new WebSocketServer({
    maxPayload: LIMITS.terminalFrameBytes.most,
    autoPong: false,
    // Not all frames that arrived together in one turn of the event loop.
    allowSynchronousEvents: false,
    ...SERVER,
  });
  /** A screen with all that has left it may be long. */
  readonly #forProcesses = new WebSocketServer({
    maxPayload: LIMITS.terminalScreenBytes.most,
    ...SERVER,
  });

  constructor(
    service: TerminalService,
    terminals: Terminals,
    quotas: DeviceQuotas,
    onTrouble: (error: unknown, session: string) => void,
  ) {
    this.#service = service;
    this.#terminals = terminals;
    this.#quotas = quotas;
    this.#onTrouble = onTrouble;
  }

  static isForViewers(path: string): boolean {
    return VIEWER.test(path);
  }

  static isForProcesses(path: string): boolean {
    return PROCESS.test(path);
  }

  /** Raises `FORBIDDEN` or `TERMINAL_NOT_FOUND` before anything was answered. */
  async accept(
    device: Device,
    path: string,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const isViewer = TerminalDoor.isForViewers(path);
    const { session, number } = terminalIn(isViewer ? VIEWER : PROCESS, path);
    if (!isViewer) {
      this.#service.enter(device, session, number);
      this.#forProcesses.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('error', () => {});
        startPings(webSocket);
        this.#terminals.connected(session, number, webSocket, () => {
          this.#service.exited(device).catch((error: unknown) => this.#onTrouble(error, session));
        });
      });
      return;
    }
    const { mayType } = await this.#service.watch(device, session, number);
    this.#forViewers.handleUpgrade(request, socket, head, (webSocket) => {
      startPings(webSocket);
      answerPings(webSocket);
      this.#viewers.add(webSocket);
      webSocket.once('close', () => this.#viewers.delete(webSocket));
      const viewer = new TerminalViewer(webSocket, {
        terminals: this.#terminals,
        session,
        number,
        mayType,
        noteTyping: () => this.#service.noteTyping(device, session, number),
        takeDownload: () => this.#quotas.take(device.id, 'downloads'),
      });
      viewer.serve();
    });
  }

  /** Let go of all; they dial again. */
  close(): void {
    for (const viewer of this.#viewers) viewer.close(TERMINAL_CLOSE.goingAway);
    this.#terminals.close();
  }
}

function terminalIn(pattern: RegExp, path: string): { session: string; number: number } {
  const [, session, number] = pattern.exec(path) ?? [];
  try {
    if (session !== undefined) return { session: decodeURIComponent(session), number: Number(number) };
  } catch {
    // What cannot be decoded is no session's name.
  }
  throw new NoSuchDoorError();
}
