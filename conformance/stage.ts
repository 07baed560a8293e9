import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type LoggedRequest,
  type ScenarioInput,
  type ScriptedModel,
  startScriptedModel,
} from '@signalbox/model';
import { referenceEnv } from '@signalbox/testing/reference-cli';
import { type ChildTransport, spawnTransport } from '@signalbox/transport';
import { Conversation, type PermissionAnswer } from './conversation.ts';
import { DrivenAgent } from './driven-agent.ts';
import { fieldsOf } from './messages.ts';
import { endAllWithHome } from './processes.ts';
import type { Program } from './program.ts';
import { SocketHost } from './socket-host.ts';

const STREAM_JSON = ['-p', '--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** How an agent is started. */
export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onPermission?: PermissionAnswer;
  /** Where it works, if not in the stage's folder. */
  readonly cwd?: string;
}

/** A program that has dialled a server, and that server. */
export interface DialledIn {
  readonly host: SocketHost;
  readonly agent: Conversation;
  /** Writes a line to its stdin. */
  readonly type: (line: string) => Promise<void>;
  /** What it wrote there lately. */
  readonly stderr: () => string;
}

/** How a command ended. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One program in a folder, a home and with a model of its own; all of it is gone when the scenario is over. */
export class Stage {
  readonly program: Program;
  readonly model: ScriptedModel;
  /** The working directory. */
  readonly folder: string;
  readonly home: string;
  readonly #root: string;
  readonly #cleanups: (() => Promise<void>)[] = [];

  private constructor(program: Program, model: ScriptedModel, root: string) {
    this.program = program;
    this.model = model;
    this.#root = root;
    this.folder = join(root, 'project');
    this.home = join(root, 'home');
  }

  static async set(program: Program): Promise<Stage> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-conformance-')));
    const stage = new Stage(program, await startScriptedModel({ scenario: 'puppet' }), root);
    for (const folder of ['project', 'home', 'tmp', 'elsewhere']) await mkdir(join(root, folder));
    return stage;
  }

  /** A path in the working directory. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** A path outside of the working directory. */
  elsewhere(name: string): string {
    return join(this.#root, 'elsewhere', name);
  }

  /** A path in the folder where the person keeps settings, commands and the like. */
  personal(name: string): string {
    return join(this.home, '.claude', name);
  }

  /** A file with what it needs of folders around it. */
  async write(path: string, content: string | Uint8Array): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  /** The text of a file; of none, if there is no such file. */
  read(path: string): Promise<string | undefined> {
    return readFile(path, 'utf8').catch(() => undefined);
  }

  /** Whether the working directory has a file of this name. */
  async has(name: string): Promise<boolean> {
    return (await this.read(this.path(name))) !== undefined;
  }

  /** Note what a person notes who opens the folder and says that it is safe. */
  async trust(): Promise<void> {
    const projects = { [this.folder]: { hasTrustDialogAccepted: true } };
    await this.write(join(this.home, '.claude.json'), JSON.stringify({ projects }));
  }

  env(): Record<string, string> {
    return { ...referenceEnv(this.home, this.model.url), TMPDIR: join(this.#root, 'tmp') };
  }

  async script(scenario: ScenarioInput): Promise<void> {
    await this.model.setScenario(scenario);
  }

  /** The requests that belong to the conversation, not to titles and the like. */
  requests(): LoggedRequest[] {
    return this.model.requests.filter(
      ({ path, background }) => path.startsWith('/v1/messages') && !background,
    );
  }

  /** What the model was sent last. */
  lastRequest(): Record<string, unknown> {
    return fieldsOf(this.requests().at(-1)?.body);
  }

  /** All that the model was sent last, as one text: versions differ in where they put things. */
  sent(): string {
    return JSON.stringify(this.lastRequest());
  }

  /** Start the program as a host does, on stdio. */
  async start(options: StartOptions = {}, program = this.program): Promise<DrivenAgent> {
    const asking = options.onPermission ? ['--permission-prompt-tool', 'stdio'] : [];
    const args = [...STREAM_JSON, ...asking, ...(options.args ?? [])];
    return new DrivenAgent(await this.#spawn(args, options, program), options.onPermission);
  }

  /** Start the program so that it dials a WebSocket server, and be that server. `path` is what follows the port in its address. */
  async dialIn(options: StartOptions = {}, path = ''): Promise<DialledIn> {
    const host = await SocketHost.listen();
    this.onLeave(() => host.stop());
    const child = await this.#spawn(
      ['--sdk-url', `${host.url}${path}`, ...STREAM_JSON, ...(options.args ?? [])],
      options,
    );
    void child.exited.then(() => host.end());
    const type = (line: string): Promise<void> => child.send(line);
    const agent = new Conversation(host, options.onPermission);
    return { host, agent, type, stderr: () => child.stderrTail };
  }

  /** Run the program to its end; `input` goes to its stdin. */
  async run(args: readonly string[], input = ''): Promise<Finished> {
    const child = await this.#spawn(args, {});
    if (input) await child.send(input);
    await child.endInput();
    const lines: string[] = [];
    for await (const line of child.receive()) lines.push(line.text());
    const { code } = await child.exited;
    return { code, stdout: lines.join('\n'), stderr: child.stderrTail };
  }

  onLeave(cleanup: () => Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  async #spawn(
    args: readonly string[],
    { env = {}, cwd = this.folder }: StartOptions,
    { command, args: before }: Program = this.program,
  ): Promise<ChildTransport> {
    const options = { command, args: [...before, ...args], cwd, env: { ...this.env(), ...env } };
    const child = await spawnTransport(options);
    this.onLeave(() => {
      child.kill('SIGKILL');
      return child.close();
    });
    return child;
  }

  /** A text without the place where this stage happens to be. */
  anonymous(text: string): string {
    return text.replaceAll(this.#root, '');
  }

  /** End whatever was started, and leave nothing behind. */
  async clear(): Promise<void> {
    await Promise.allSettled(this.#cleanups.map((cleanup) => cleanup()));
    endAllWithHome(this.home);
    await this.model.close();
    await rm(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}
