import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@signalbox/protocol';
import { LINE_PROTOCOL } from '@signalbox/protocol/hub';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { Stream, type StreamParts } from '../api/stream.ts';
import { STREAM_CLOSE, Viewer } from '../live/viewer.ts';
import { RecentRequests } from '../relay/recent-requests.ts';
import type { Device } from '../store/device.ts';

/** How often viewers are pinged; one that stays silent until the next ping is gone. */
const PING_MS = 15_000;

/** Where viewers come in. */
export class StreamDoor {
  readonly #parts: StreamParts;
  readonly #server = new WebSocketServer({
    noServer: true,
    // What viewers get is deflated once for all of them: no frame may lean on those before it.
    perMessageDeflate: {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      serverMaxWindowBits: 15,
    },
    maxPayload: LIMITS.bodyBytes.most,
    // The token that a page sends beside it must not be chosen, and so repeated.
    handleProtocols: (offered) => offered.has(LINE_PROTOCOL) && LINE_PROTOCOL,
  });
  readonly #viewers = new Map<WebSocket, Viewer>();

  constructor(parts: Omit<StreamParts, 'requests'>) {
    this.#parts = { ...parts, requests: new RecentRequests() };
  }

  get size(): number {
    return this.#viewers.size;
  }

  accept(device: Device, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const viewer = new Viewer(webSocket, socket);
      const stream = new Stream(this.#parts, device, viewer);
      const stopPings = startPings(webSocket);
      this.#viewers.set(webSocket, viewer);
      webSocket.on('message', (data) => stream.hear(textOf(data)));
      // The close event that always follows says the rest.
      webSocket.on('error', () => {});
      webSocket.once('close', () => {
        stopPings();
        this.#viewers.delete(webSocket);
        stream.end();
      });
    });
  }

  close(): void {
    for (const viewer of this.#viewers.values()) viewer.close(STREAM_CLOSE.goingAway, 'the hub is closing');
  }
}

function startPings(webSocket: WebSocket): () => void {
  let isAlive = true;
  webSocket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return webSocket.terminate();
    isAlive = false;
    webSocket.ping();
  }, PING_MS).unref();
  return () => clearInterval(timer);
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString();
  return Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString();
}
