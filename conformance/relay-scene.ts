import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@signalbox/protocol';
import { freePort } from '@signalbox/testing/free-port';
import { WebSocket } from 'ws';
import { endChild, LOOK_MS, startHub } from './hub-program.ts';
import type { Program } from './program.ts';
import type { Stage } from './stage.ts';

/** Agents and a frontend that know of a relay what the seed says: a port, `/` and `/ws`, lines, statuses, ids of sessions. */
export class RelayScene {
  readonly heard: JsonObject[] = [];
  readonly #stage: Stage;
  readonly #home: string;
  readonly #port: number;
  #hub: ChildProcess;
  #socket: WebSocket | undefined;

  private constructor(stage: Stage, home: string, port: number, hub: ChildProcess) {
    this.#stage = stage;
    this.#home = home;
    this.#port = port;
    this.#hub = hub;
  }

  static async open(stage: Stage): Promise<RelayScene> {
    const home = stage.elsewhere('hub');
    mkdirSync(home, { mode: 0o700 });
    const port = await freePort();
    const scene = new RelayScene(stage, home, port, await startHub(home, port, ['--open-relay']));
    stage.onLeave(async () => {
      scene.#socket?.terminate();
      await endChild(scene.#hub, 'SIGKILL');
    });
    await scene.#watch();
    return scene;
  }

  /** Start an agent as the seed does; settles with the name that the relay has for it, until it has one of its own. */
  async start(program: Program): Promise<{ name: string; child: ChildProcess }> {
    const { length } = this.heard;
    const url = `ws://127.0.0.1:${this.#port}`;
    const flags = ['--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose'];
    const args = [...program.args, '-p', 'placeholder', '--sdk-url', url, ...flags];
    const env = this.#stage.env();
    const child = spawn(program.command, args, { cwd: this.#stage.folder, env, stdio: 'ignore' });
    this.#stage.onLeave(() => endChild(child, 'SIGKILL'));
    const { session_id: name } = await this.find(({ text }) => text === 'claude code connected', length);
    return { name: String(name), child };
  }

  say(message: JsonObject): void {
    this.#socket?.send(`${JSON.stringify(message)}\n`);
  }

  prompt(content: string, session: string): void {
    const message = { role: 'user', content };
    this.say({ type: 'user', message, parent_tool_use_id: null, session_id: session });
  }

  /** Prompt an agent, and wait for the end of its turn. */
  async turn(content: string, session: string, says: string): Promise<string> {
    const { length } = this.heard;
    this.prompt(content, session);
    const { session_id: id } = await this.find(
      ({ type, result }) => type === 'result' && result === says,
      length,
    );
    return String(id);
  }

  /** What one asks who wants to run this; waits until one does. */
  async asked(command: string): Promise<string> {
    const { request_id: id } = await this.find(({ type, request }) => {
      const asked = JSON.stringify(request ?? '');
      return type === 'control_request' && asked.includes('can_use_tool') && asked.includes(command);
    });
    return String(id);
  }

  /** The first message that fits, of those after the first `from`; waits until there is one. */
  async find(fits: (message: JsonObject) => boolean, from = 0): Promise<JsonObject> {
    for (;;) {
      const found = this.heard.slice(from).find(fits);
      if (found) return found;
      await pause(LOOK_MS);
    }
  }

  /** Kill the relay without a goodbye, and start it again; settles when `count` agents are back. */
  async restart(count: number): Promise<void> {
    await endChild(this.#hub, 'SIGKILL');
    this.#hub = await startHub(this.#home, this.#port, ['--open-relay']);
    const { length } = this.heard;
    await this.#watch();
    const isBack = ({ text }: JsonObject): boolean =>
      text === 'claude code connected' || text === 'claude code is connected';
    while (this.heard.slice(length).filter(isBack).length < count) await pause(LOOK_MS);
  }

  async #watch(): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}/ws`);
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      for (const line of data.toString().split('\n').filter(Boolean)) this.heard.push(JSON.parse(line));
    });
    socket.on('error', () => {});
    await once(socket, 'open');
  }
}
