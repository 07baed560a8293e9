import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { FIRST_PORT, LAST_PORT } from '../src/hub-ports.ts';

const ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}';

/** A program of this machine that listens where a hub could be, keeps what it gets, and agrees to everything. */
export class Stranger {
  readonly port: number;
  readonly #heard: string[];

  private constructor(port: number, heard: string[]) {
    this.port = port;
    this.#heard = heard;
  }

  /** On a port that must be free. */
  static async at(port: number): Promise<Stranger> {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        heard.push(data.toString());
        socket.write(ANSWER);
      });
    });
    await listen(server, port);
    return new Stranger(port, heard);
  }

  /** On a port where hubs start that are told none; undefined where others have all of them. */
  static async atUsualPort(): Promise<Stranger | undefined> {
    for (let port = FIRST_PORT; port <= LAST_PORT; port += 1) {
      try {
        return await Stranger.at(port);
      } catch {
        // Somebody has it.
      }
    }
    return undefined;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** All that was said to it. */
  get heard(): string {
    return this.#heard.join('');
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
}
