import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findBridges } from '@signalbox/hub/bridge';
import { type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { freePort } from '@signalbox/testing/free-port';
import { endProcess } from '@signalbox/testing/is-running';
import { TmuxPane } from '@signalbox/testing/tmux-pane';
import { HubApi } from 'signalbox/hub';
import { afterAll, onTestFinished } from 'vitest';

export const SIGNALBOX = fileURLToPath(new URL('../../../dist/signalbox.js', import.meta.url));

/** How a command ended, and what it wrote. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Run a command to its end, whatever its exit code is. */
export function runSignalbox(env: Record<string, string>, cwd: string, ...words: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SIGNALBOX, ...words], { env, cwd }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** A person's machine: a hub on it, a model that does what it is told, a project to work in. */
export class HubStage {
  readonly home = mkdtempSync(join(tmpdir(), 'signalbox-stage-'));
  readonly project = join(this.home, 'project');
  readonly model: ScriptedModel;
  readonly port: number;
  readonly #flags: readonly string[];
  #hub: ChildProcess | undefined;

  private constructor(model: ScriptedModel, port: number, flags: readonly string[]) {
    this.model = model;
    this.port = port;
    this.#flags = flags;
    mkdirSync(this.project);
  }

  /** With these options of `signalbox up`. It ends with the test. */
  static async start(...flags: string[]): Promise<HubStage> {
    const stage = new HubStage(await startScriptedModel({ scenario: 'puppet' }), await freePort(), flags);
    onTestFinished(() => stage.end());
    await stage.startHub();
    return stage;
  }

  /** For the tests of a file: each finds it without a session, and with an empty project. To be called beside them. */
  static ofFile(): () => Promise<HubStage> {
    let started: Promise<HubStage> | undefined;
    const start = async (): Promise<HubStage> => {
      const stage = new HubStage(await startScriptedModel({ scenario: 'puppet' }), await freePort(), []);
      await stage.startHub();
      return stage;
    };
    afterAll(async () => (await started)?.end());
    return async () => {
      started ??= start();
      const stage = await started;
      onTestFinished(() => stage.clear());
      return stage;
    };
  }

  async clear(): Promise<void> {
    await this.#stopAgents();
    if (!this.#isUp) await this.startHub();
    for (const { id } of (await this.api.sessions()).items) await this.api.remove(id);
    for (const name of readdirSync(this.project))
      rmSync(join(this.project, name), { recursive: true, force: true, maxRetries: 5 });
  }

  async end(): Promise<void> {
    await this.#stopAgents();
    await this.killHub();
    await this.model.close();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      SIGNALBOX_HOME: join(this.home, 'data'),
      ANTHROPIC_BASE_URL: this.model.url,
      ANTHROPIC_API_KEY: 'a-secret-key',
      SIGNALBOX_LOG: 'error',
    };
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get tokenFile(): string {
    return join(this.home, 'data', 'token');
  }

  get token(): string {
    return readFileSync(this.tokenFile, 'utf8').trim();
  }

  get api(): HubApi {
    return new HubApi({ url: this.url, token: this.token });
  }

  /** What the hub says when it is up. */
  startHub(port = this.port): Promise<string> {
    return this.#up('--port', String(port), ...this.#flags);
  }

  /** Another process takes over from the hub; settles with what both have said when the first one has ended. */
  async replaceHub(): Promise<string> {
    const old = this.#hub;
    const exited = old && once(old, 'exit');
    const output = await this.#up('--replace', ...this.#flags);
    const [code] = (await exited) ?? [];
    return `${output}the first one exited with ${code}\n`;
  }

  async #up(...flags: string[]): Promise<string> {
    const words = ['up', '--no-welcome', ...flags];
    const child = spawn(process.execPath, [SIGNALBOX, ...words], {
      env: this.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#hub = child;
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes('its agents go on and come back')) return output;
    }
    throw new Error(`the hub did not start: ${output}`);
  }

  get hubPid(): number | undefined {
    return this.#hub?.pid;
  }

  async killHub(): Promise<void> {
    const hub = this.#hub;
    if (!hub || !this.#isUp) return;
    hub.kill('SIGKILL');
    await once(hub, 'exit');
  }

  get #isUp(): boolean {
    return this.#hub?.exitCode === null && this.#hub.signalCode === null;
  }

  /** Run a command to its end. */
  run(...words: string[]): Promise<Outcome> {
    return runSignalbox(this.env, this.project, ...words);
  }

  /** Run a command in a terminal. */
  open(...words: string[]): Promise<TmuxPane> {
    return this.openAt(100, ...words);
  }

  /** Run a command in a terminal of so many columns. */
  openAt(columns: number, ...words: string[]): Promise<TmuxPane> {
    // In a process group of its own, as a shell that people type into starts it: Ctrl-C is for nobody else.
    const line = `set -m; cd '${this.project}' && '${process.execPath}' '${SIGNALBOX}' "$@"; exit $?`;
    return TmuxPane.start(['sh', '-c', line, 'sh', ...words], { env: this.env, columns });
  }

  /** Launch an agent without a word to it. */
  async launch(title?: string): Promise<string> {
    const launch = { agent: 'signalbox-agent', folder: this.project } as const;
    const { session } = await this.api.createSession({ launch, ...(title === undefined ? {} : { title }) });
    return session.id;
  }

  /** Somebody else, with a device of their own. */
  async ada(): Promise<HubApi> {
    const grant = { person: 'Ada', name: 'phone', scope: 'approve' };
    const { token } = await this.api.call<{ token: string }>('POST', '/api/devices', grant);
    return new HubApi({ url: this.url, token });
  }

  /** The request that waits for an answer. */
  async openAsk(): Promise<{ session: string; requestId: string }> {
    for (;;) {
      const [first] = (await this.api.permissions()).items;
      if (first) return first;
      await pause(50);
    }
  }

  /** The processes that own agents. */
  async bridges(): Promise<number[]> {
    const found = await findBridges(join(this.home, 'data'));
    return found.flatMap(({ state, pid }) => (state === 'running' ? [pid] : []));
  }

  /** Bridges outlive their hub, and would outlive the test. */
  async #stopAgents(): Promise<void> {
    for (const pid of await this.bridges()) endProcess(pid);
    while ((await this.bridges()).length > 0) await pause(50);
  }
}
