import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@signalbox/protocol';
import { freePort } from '@signalbox/testing/free-port';
import { PostgresCluster } from '@signalbox/testing/postgres-cluster';
import { HubApi, HubStream, type PermissionRequest, type StreamMessage } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { readPeers } from '../packages/hub/src/bridge/peers.ts';
import { endChild, LOOK_MS, SIGNALBOX, startHub } from './hub-program.ts';
import { fieldsOf } from './messages.ts';
import type { Stage } from './stage.ts';

const SESSION = 'stage';
const STREAM_JSON = ['-p', '--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];
const PARTIAL = '--include-partial-messages';

/** A hub that runs. */
interface Place {
  home: string;
  port: number;
  process: ChildProcess;
}

/** How the program on the stage comes to the hub. */
export type WayIn = 'bridge' | 'sdk-url';

/** A hub in its own process, the program of the stage in a session of it, and a person who sees and says all by the API. */
export class HubScene {
  readonly api: HubApi;
  readonly #stage: Stage;
  /** That of the program. */
  readonly #hub: Place;
  /** Where the person is: at the same one, unless there are several nodes. */
  readonly #url: string;
  readonly #token: string;
  readonly #told: StreamMessage[] = [];
  #prompts = 0;

  private constructor(stage: Stage, hub: Place, seen = hub) {
    this.#stage = stage;
    this.#hub = hub;
    this.#url = urlOf(seen);
    this.#token = readFileSync(join(seen.home, 'token'), 'utf8').trim();
    this.api = new HubApi({ url: this.#url, token: this.#token });
  }

  static async open(stage: Stage, wayIn: WayIn): Promise<HubScene> {
    return HubScene.#begin(new HubScene(stage, await started(stage, 'hub')), wayIn);
  }

  /** Two nodes on one database: the program has its bridge at the one that leads, and the person is at the other one. */
  static async onNodes(stage: Stage): Promise<HubScene> {
    const cluster = await PostgresCluster.start();
    stage.onLeave(() => cluster.stop('immediate'));
    const database = { SIGNALBOX_DATABASE: await cluster.createDatabase() };
    const leader = await started(stage, 'node-1', database);
    const scene = new HubScene(stage, leader, await started(stage, 'node-2', database));
    // It looks every two seconds who else is there; its bridges go on there.
    await scene.#until(() => readPeers(leader.home)[0]);
    return HubScene.#begin(scene, 'bridge');
  }

  static async #begin(scene: HubScene, wayIn: WayIn): Promise<HubScene> {
    const { token = '' } = await scene.api.createSession({ id: SESSION });
    scene.#watch();
    scene.#start(wayIn, token);
    return scene;
  }

  /** Admit a prompt. */
  async say(content: string): Promise<void> {
    this.#prompts += 1;
    await this.api.prompt(SESSION, { clientId: String(this.#prompts), content });
  }

  /** Say something, and wait for the end of its turn. */
  async turn(content: string): Promise<JsonObject> {
    const { length } = this.results();
    await this.say(content);
    return this.#until(() => this.results()[length]);
  }

  /** What is asked now; waits until something is. */
  async asked(): Promise<PermissionRequest> {
    return this.#until(async () => (await this.api.permissions()).items[0]);
  }

  async answer(answer: Parameters<HubApi['answer']>[2]): Promise<void> {
    const { requestId } = await this.asked();
    await this.api.answer(SESSION, requestId, answer);
  }

  /** Settles with the `count`th result of the session. */
  result(count = 1): Promise<JsonObject> {
    return this.#until(() => this.results()[count - 1]);
  }

  /** What the viewer was told of the record, in its order. */
  messages(): JsonObject[] {
    return this.#told.flatMap((told) => (told.type === 'sdk-message' ? [fieldsOf(told.message)] : []));
  }

  previews(): JsonObject[] {
    return this.#told.flatMap((told) => (told.type === 'preview' ? [fieldsOf(told.message)] : []));
  }

  results(): JsonObject[] {
    return this.messages().filter(({ type }) => type === 'result');
  }

  /** Every entry of the record once and in order, from its first on. */
  isWhole(): boolean {
    const seqs = this.#told.flatMap((told) => (told.type === 'sdk-message' ? told.seq : []));
    return seqs.every((seq, i) => seq === i + 1);
  }

  async waitFor(look: () => boolean): Promise<void> {
    await this.#until(() => look() || undefined);
  }

  control(request: JsonObject & { subtype: string }): Promise<JsonObject> {
    return this.api.call('POST', `/api/sessions/${SESSION}/control`, request);
  }

  /** Kill the hub without a goodbye, and start it again. */
  async restart(): Promise<void> {
    const { home, port } = this.#hub;
    await this.kill();
    this.#hub.process = await startHub(home, port);
  }

  /** Kill the hub of the program without a goodbye. */
  async kill(): Promise<void> {
    await endChild(this.#hub.process, 'SIGKILL');
  }

  /** A session can be watched once there is one. */
  #watch(): void {
    const stream = new HubStream({ url: this.#url, token: this.#token, WebSocket });
    this.#stage.onLeave(() => Promise.resolve(stream.close()));
    stream.watch(SESSION, (message) => this.#told.push(message));
  }

  #start(wayIn: WayIn, token: string): void {
    const { program, folder } = this.#stage;
    const own = [program.command, ...program.args];
    const ws = urlOf(this.#hub).replace('http', 'ws');
    const asking = ['--permission-prompt-tool', 'stdio'];
    const [command = '', ...args] =
      wayIn === 'bridge'
        ? [process.execPath, SIGNALBOX, 'bridge', '--hub', ws, '--session', SESSION, '--', ...own].concat(
            STREAM_JSON,
            PARTIAL,
            asking,
          )
        : [...own, '--sdk-url', `${ws}/ws/${SESSION}`, ...STREAM_JSON, PARTIAL];
    const child = spawn(command, args, {
      cwd: folder,
      env: {
        ...this.#stage.env(),
        SIGNALBOX_HOME: this.#hub.home,
        SIGNALBOX_TOKEN: token,
        CLAUDE_CODE_SESSION_ACCESS_TOKEN: token,
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    this.#stage.onLeave(() => endChild(child, 'SIGTERM'));
  }

  async #until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(LOOK_MS);
    }
  }
}

function urlOf({ port }: Place): string {
  return `http://127.0.0.1:${port}`;
}

/** A hub with a home of its own. */
async function started(stage: Stage, name: string, variables = {}): Promise<Place> {
  const home = stage.elsewhere(name);
  mkdirSync(home, { mode: 0o700 });
  const port = await freePort();
  const place = { home, port, process: await startHub(home, port, [], SIGNALBOX, variables) };
  stage.onLeave(() => endChild(place.process, 'SIGKILL'));
  return place;
}
