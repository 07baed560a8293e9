import { setTimeout as pause } from 'node:timers/promises';
import headless from '@xterm/headless';
import { HubTerminal, type HubTerminalOptions } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { LOOK_MS } from './hub-program.ts';

/** The screen of a program in a terminal of the hub, as somebody sees it who types there. */
export class SeenScreen {
  readonly #screen = new headless.Terminal({ cols: 100, rows: 40, allowProposedApi: true });
  readonly #terminal: HubTerminal;

  constructor(options: Pick<HubTerminalOptions, 'url' | 'token' | 'session' | 'number'>) {
    this.#terminal = new HubTerminal({
      ...options,
      WebSocket,
      onScreen: ({ data, cols, rows }) => {
        this.#screen.reset();
        this.#screen.resize(cols, rows);
        return this.#draw(data);
      },
      onOutput: (bytes) => this.#draw(bytes),
    });
  }

  /** What stands there now, with what has left it at the top. */
  text(): string {
    const { buffer } = this.#screen;
    const lines = Array.from({ length: buffer.active.length }, (_, i) =>
      buffer.active.getLine(i)?.translateToString(true),
    );
    return lines.join('\n');
  }

  async shows(words: string): Promise<void> {
    while (!this.text().includes(words)) await pause(LOOK_MS);
  }

  /** Type a prompt and send it: by a key of its own, once it stands there, or it would be taken for pasted text. */
  async say(prompt: string): Promise<void> {
    // What is typed while the connection is broken is not taken.
    while (!this.#terminal.type(prompt)) await pause(LOOK_MS);
    await this.shows(prompt);
    this.#terminal.type('\r');
  }

  close(): void {
    this.#terminal.close();
    this.#screen.dispose();
  }

  #draw(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#screen.write(data, resolve));
  }
}
