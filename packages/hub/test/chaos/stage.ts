import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { HubApi } from 'signalbox/hub';
import { onTestFinished } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { journalOf } from '../bridge/journal-files.ts';
import { bareEnv, type RunningBridge, runBridge } from '../bridge/run-bridge.ts';
import type { AgentRun, Reading, RecordEntry, ToldAnswer, View } from './evidence.ts';
import { FaultyLink } from './faulty-link.ts';

const CHATTY_AGENT = builtProgram('packages/hub/test/chaos/chatty-agent.ts');
const NOTING_AGENT = builtProgram('packages/hub/test/chaos/noting-agent.ts');
const WRITING_VIEWER = builtProgram('packages/hub/test/chaos/writing-viewer.ts');

/** A session with its agent, the bridge that owns it, and the link between that and the hub. */
export interface Player {
  session: string;
  link: FaultyLink;
  command: readonly string[];
  bridge: RunningBridge;
  readings: Reading[];
}

/** One who watches all sessions, and answers what their agents ask. */
export interface Watcher {
  name: string;
  link: FaultyLink;
  process: ChildProcess;
}

/** The hub of a stage when it is several processes. */
export interface StageHub {
  readonly port: number;
  readonly process: HubProcess;
  kill(whileAway: () => Promise<unknown>, signal: NodeJS.Signals): Promise<void>;
}

/** A hub with its agents and viewers, each a process as users run it, and a link to each that can be broken. */
export class Stage {
  readonly home: string;
  readonly port: number;
  readonly players: Player[] = [];
  readonly watchers: Watcher[] = [];
  readonly #files: string;
  readonly #env: NodeJS.ProcessEnv;
  #hub: HubProcess;
  #nodes: StageHub | undefined;

  private constructor(home: string, files: string, port: number, hub: HubProcess, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.#files = files;
    this.port = port;
    this.#hub = hub;
    this.#env = env;
  }

  /** `env` is for the agents. The hub keeps its data in its home, or in a PostgreSQL database. */
  static async set(env: NodeJS.ProcessEnv = {}, database?: string): Promise<Stage> {
    const [home, files, port] = [temporaryFolder(), temporaryFolder(), await freePort()];
    if (database !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify({ database }));
    return new Stage(home, files, port, await startHub(home, port), env);
  }

  static onNodes(nodes: StageHub): Stage {
    const stage = new Stage(nodes.process.home, temporaryFolder(), nodes.port, nodes.process, {});
    stage.#nodes = nodes;
    return stage;
  }

  get api(): HubApi {
    return new HubApi({ url: `http://127.0.0.1:${this.port}`, token: this.#hub.token });
  }

  get hub(): HubProcess {
    return this.#hub;
  }

  /** The command of the agent that needs no model. */
  get chattyAgent(): readonly string[] {
    return [process.execPath, CHATTY_AGENT];
  }

  async addPlayer(session: string, agent = this.chattyAgent): Promise<Player> {
    const notes = join(this.#files, session);
    mkdirSync(notes);
    await this.api.createSession({ id: session });
    const link = await FaultyLink.to(this.port);
    const command = [process.execPath, NOTING_AGENT, notes, ...agent];
    const bridge = this.#startBridge(session, link, command);
    const player = { session, link, command, bridge, readings: [] };
    this.players.push(player);
    return player;
  }

  async addWatcher(name: string): Promise<Watcher> {
    const link = await FaultyLink.to(this.port);
    const watcher = { name, link, process: this.#startViewer(name, link) };
    this.watchers.push(watcher);
    return watcher;
  }

  /** End the hub and start it again; `whileAway` is what happens in between. */
  async killHub(
    whileAway: () => Promise<unknown> = async () => {},
    signal: NodeJS.Signals = 'SIGKILL',
  ): Promise<void> {
    if (this.#nodes) return this.#nodes.kill(whileAway, signal);
    this.#hub.tell(signal);
    await this.#hub.exited;
    await whileAway();
    this.#hub = await startHub(this.home, this.port);
  }

  async killBridge(player: Player): Promise<void> {
    player.bridge.child.kill('SIGKILL');
    await player.bridge.exited;
    player.bridge = this.#startBridge(player.session, player.link, player.command);
  }

  async killViewer(watcher: Watcher): Promise<void> {
    await killChild(watcher.process);
    watcher.process = this.#startViewer(watcher.name, watcher.link);
  }

  /** Let the agents leave, and deliver all that they said. */
  async dismissAgents(): Promise<void> {
    for (const { bridge } of this.players) bridge.child.kill('SIGTERM');
    await Promise.all(this.players.map(({ bridge }) => bridge.exited));
  }

  /** Each process of the session's agent; all but the last were killed. */
  runsOf(session: string): AgentRun[] {
    const folder = join(this.#files, session);
    const files = readdirSync(folder).toSorted();
    return files.map((name, index) => {
      const notes = linesIn(join(folder, name)).map((line) => JSON.parse(line));
      return {
        pid: notes[0]?.pid ?? 0,
        said: notes.flatMap(({ said }) => said ?? []),
        heard: notes.flatMap(({ heard }) => heard ?? []),
        end: index === files.length - 1 ? 'whole' : 'killed',
      };
    });
  }

  /** What the session's bridge has read, and the hub may lack. */
  journalOf(session: string): string {
    return journalOf(this.#bridgeHome(session), session);
  }

  viewsOf(session: string): View[] {
    return this.watchers.map(({ name }) => ({
      viewer: name,
      entries: linesIn(join(this.#files, `${name}.${session}.view`)).map((line) => JSON.parse(line)),
    }));
  }

  /** What viewers who answered were told. */
  answersOf(session: string): ToldAnswer[] {
    const all = this.watchers.flatMap(({ name }) => linesIn(join(this.#files, `${name}.answers`)));
    return all.map((line): ToldAnswer => JSON.parse(line)).filter((told) => told.session === session);
  }

  /** The whole record, with the bytes of each line. */
  async recordOf(session: string): Promise<RecordEntry[]> {
    const record: RecordEntry[] = [];
    for (;;) {
      const window = await this.#rawEvents(session, record.length + 1);
      record.push(...window);
      if (window.length === 0) return record;
    }
  }

  async #rawEvents(session: string, from: number): Promise<RecordEntry[]> {
    const url = `http://127.0.0.1:${this.port}/api/sessions/${session}/events?from=${from}`;
    const headers = { authorization: `Bearer ${this.#hub.token}` };
    const text = await until(async () => {
      const response = await fetch(url, { headers }).catch(() => undefined);
      return response?.ok ? response.text() : undefined;
    });
    // Split and not parsed: what a parser makes of a line says nothing of its bytes.
    const [, ...pieces] = text.split('{"type":"sdk-message",');
    return pieces.map((piece, index) => {
      const [start = '', seq, author = '{"by":"agent"}'] =
        /^.*?"seq":(\d+),"check":\d+,"time":\d+(?:,"author":({.*?}))?,"message":/.exec(piece) ?? [];
      const end = index === pieces.length - 1 ? '}]}' : '},';
      return { seq: Number(seq), author: JSON.parse(author), raw: piece.slice(start.length, -end.length) };
    });
  }

  #startBridge(session: string, link: FaultyLink, command: readonly string[]): RunningBridge {
    const home = this.#bridgeHome(session);
    mkdirSync(home, { recursive: true });
    const env = { SIGNALBOX_TOKEN: this.#hub.token, ...this.#env };
    return runBridge({ hub: `ws://127.0.0.1:${link.port}`, session, home, command, env });
  }

  #bridgeHome(session: string): string {
    return join(this.#files, `home-${session}`);
  }

  #startViewer(name: string, link: FaultyLink): ChildProcess {
    const url = `http://127.0.0.1:${link.port}`;
    const sessions = this.players.map(({ session }) => session);
    const words = [this.#files, name, url, this.#hub.token, ...sessions];
    const child = spawn(process.execPath, [WRITING_VIEWER, ...words], {
      env: bareEnv(this.#files),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onTestFinished(() => killChild(child));
    return child;
  }
}

function startHub(home: string, port: number): Promise<HubProcess> {
  return HubProcess.start(home, port);
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function linesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
