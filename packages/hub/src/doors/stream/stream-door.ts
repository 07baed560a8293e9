import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@signalbox/protocol';
import { LINE_PROTOCOL } from '@signalbox/protocol/hub';
import { answerPings, measure } from '@signalbox/transport';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { KeyedQueue } from '../../base/keyed-queue.ts';
import { readings } from '../../base/readings.ts';
import { STREAM_CLOSE, Viewer } from '../../sessions/viewer.ts';
import { type Device, includesScope } from '../../store/device.ts';
import { RecentRequests } from '../http/recent-requests.ts';
import { startPings } from '../http/socket-pings.ts';
import { SharedNotes } from './shared-notes.ts';
import { Stream, type StreamParts } from './stream.ts';
import { StreamFrames } from './stream-frames.ts';

/** Where viewers come in. */
export class StreamDoor {
  readonly #parts: StreamParts;
  /** Who may send prompts may send long frames. */
  readonly #drivers = serverOf('drivers');
  readonly #others = serverOf('others');
  readonly #viewers = new Map<WebSocket, Viewer>();

  constructor(parts: Omit<StreamParts, 'requests' | 'notes' | 'snapshots'>) {
    this.#parts = {
      ...parts,
      requests: new RecentRequests(),
      notes: new SharedNotes(),
      snapshots: new KeyedQueue(),
    };
  }

  get size(): number {
    return this.#viewers.size;
  }

  accept(device: Device, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const server = includesScope(device.scope, 'drive') ? this.#drivers : this.#others;
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const viewer = new Viewer(webSocket, socket);
      const stream = new Stream(this.#parts, device, viewer);
      startPings(webSocket);
      answerPings(webSocket);
      this.#viewers.set(webSocket, viewer);
      const pauses = new Set<'frames' | 'budget'>();
      const pause = (reason: 'frames' | 'budget'): void => {
        pauses.add(reason);
        webSocket.pause();
      };
      const resume = (reason: 'frames' | 'budget'): void => {
        pauses.delete(reason);
        if (pauses.size === 0) webSocket.resume();
      };
      const reading = readings.begin({
        pause: () => pause('budget'),
        resume: () => resume('budget'),
        cut: () => webSocket.terminate(),
      });
      measure(webSocket, socket, reading);
      let underWay = 0;
      const hear = async (line: string): Promise<void> => {
        underWay += 1;
        await stream.hear(line);
        underWay -= 1;
        if (underWay === 0) reading.release();
      };
      const frames = new StreamFrames({
        onLine: (line) => void hear(line),
        onRefused: ({ code, message }) => {
          viewer.say({ type: 'error', code, message });
          viewer.close(STREAM_CLOSE.refused, code);
        },
        drained: () => viewer.drained(),
        pause: () => pause('frames'),
        resume: () => resume('frames'),
      });
      webSocket.on('message', (data) => frames.push(bytesOf(data)));
      // The close event that always follows says the rest.
      webSocket.on('error', () => {});
      webSocket.once('close', () => {
        frames.end();
        this.#viewers.delete(webSocket);
        stream.end();
      });
    });
  }

  close(): void {
    for (const viewer of this.#viewers.values()) viewer.close(STREAM_CLOSE.goingAway, 'the hub is closing');
  }
}

function serverOf(viewers: 'drivers' | 'others'): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    autoPong: false,
    // What viewers get is deflated once for all of them: no frame may lean on those before it.
    perMessageDeflate: {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      serverMaxWindowBits: 15,
    },
    // Of a frame as it is once inflated.
    maxPayload: (viewers === 'drivers' ? LIMITS.bodyBytes : LIMITS.watchedFrameBytes).most,
    // Not all frames that arrived together in one turn of the event loop.
    allowSynchronousEvents: false,
    // The token that a page sends beside it must not be chosen, and so repeated.
    handleProtocols: (offered) => offered.has(LINE_PROTOCOL) && LINE_PROTOCOL,
  });
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
}
