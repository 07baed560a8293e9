import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { LinkFrame, LinkPosition } from '../../src/link/link-frame.ts';
import { textOf } from '../websocket/bare-server.ts';

/** The client end of a lossless link, one frame at a time: says what it is told to, and nothing else. */
export class RawLink {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Everything that came, in order: link frames as objects, lines as text. */
  readonly heard: (LinkFrame | string)[] = [];

  private constructor(url: URL) {
    this.socket = new WebSocket(url, { headers: { 'x-signalbox-link': '1' } });
    this.socket.on('message', (data, isBinary) => {
      const text = textOf(data);
      if (isBinary) this.heard.push(JSON.parse(text));
      else this.heard.push(...text.split('\n').slice(0, -1));
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
  }

  static async dial(url: URL): Promise<RawLink> {
    const link = new RawLink(url);
    onTestFinished(() => link.socket.terminate());
    await once(link.socket, 'open');
    return link;
  }

  /** Dial, and say hello. */
  static async greet(url: URL, epoch: string, received: LinkPosition | null = null): Promise<RawLink> {
    const link = await RawLink.dial(url);
    link.say({ link: 'hello', epoch, received });
    return link;
  }

  say(frame: LinkFrame): void {
    this.socket.send(Buffer.from(JSON.stringify(frame)));
  }

  /** Send lines, the first of which has this number. */
  lines(number: number, ...lines: string[]): this {
    this.say({ link: 'start', number });
    this.socket.send(lines.map((line) => `${line}\n`).join(''));
    return this;
  }

  /** The first frame of this kind; waits for it. */
  async frame<K extends LinkFrame['link']>(kind: K): Promise<Extract<LinkFrame, { link: K }>> {
    const isIt = (heard: LinkFrame | string): heard is Extract<LinkFrame, { link: K }> =>
      typeof heard !== 'string' && heard.link === kind;
    for (;;) {
      const found = this.heard.find(isIt);
      if (found) return found;
      await once(this.socket, 'message');
    }
  }

  /** Settles when the lines up to this one were acknowledged. */
  async untilAck(count: number): Promise<void> {
    const isIt = (heard: LinkFrame | string): boolean =>
      typeof heard !== 'string' && heard.link === 'ack' && heard.count === count;
    while (!this.heard.some(isIt)) await once(this.socket, 'message');
  }

  /** Settles when this many lines have come. */
  async untilLines(count: number): Promise<string[]> {
    for (;;) {
      const lines = this.heard.filter((heard) => typeof heard === 'string');
      if (lines.length >= count) return lines;
      await once(this.socket, 'message');
    }
  }

  /** All that was sent to us so far has been heard when this settles. */
  async settled(): Promise<void> {
    this.socket.ping();
    await once(this.socket, 'pong');
  }

  async leave(): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}
