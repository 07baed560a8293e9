import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeCall, type PermissionRule, parseRule } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { childEnvironment } from '../base/child-environment.ts';
import { isInside } from '../base/real-path.ts';
import type { SandboxPolicy } from '../settings/sandbox-policy.ts';
import { bubblewrapArgs, INSIDE, probeBubblewrap } from './bubblewrap.ts';
import { EgressProxy, type Network } from './egress-proxy.ts';
import { proxyVariables, withForwarder } from './forwarder.ts';
import {
  credentialPaths,
  filePlaceholders,
  folderPlaceholders,
  homePlaceholders,
  protectedInHome,
  protectedPaths,
} from './guarded-paths.ts';
import { mountsFor, unixSockets } from './mounts.ts';
import { Placeholders } from './placeholders.ts';

/** Keys for models: what is confined has no use for them. */
const MODEL_KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

/** Options of {@link Sandbox}. */
export interface SandboxOptions {
  readonly home: string;
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The machine's, unless given. */
  readonly network?: Network;
}

/** A command to confine. */
export interface SandboxedCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folders it may work in. */
  readonly folders: readonly string[];
  /** A file to make that it may write to, seen inside at {@link Sandbox.noteFile}. */
  readonly noteFile?: string;
}

/** A program with its arguments and variables. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** To be called when it has ended, or could not be started. */
  readonly release: () => void;
}

/** Confines the commands of a session. */
export class Sandbox {
  /** Where a command finds its note file. */
  readonly noteFile = `${INSIDE}/note`;
  readonly policy: SandboxPolicy;
  readonly #options: SandboxOptions;
  readonly #excluded: readonly PermissionRule[];
  readonly #placeholders = new Placeholders();
  #folder: Promise<string> | undefined;
  #proxy: Promise<EgressProxy> | undefined;

  /** Throws `SandboxUnavailableError` where commands cannot be confined. */
  static async open(policy: SandboxPolicy, options: SandboxOptions): Promise<Sandbox> {
    await probeBubblewrap(options.env);
    return new Sandbox(policy, options);
  }

  private constructor(policy: SandboxPolicy, options: SandboxOptions) {
    this.policy = policy;
    this.#options = options;
    this.#excluded = policy.excludedCommands.map((text) =>
      parseRule(`Bash(${text.replace(/(?: \*|:\*)$/, '')}:*)`),
    );
  }

  /** Whether a call of Bash runs inside. Only where every command of a line is excluded does it run outside. */
  holds({ command, dangerouslyDisableSandbox }: Readonly<Record<string, unknown>>): boolean {
    if (dangerouslyDisableSandbox === true && this.policy.mayBeLeft) return false;
    const rules = { allow: this.#excluded, deny: [], ask: [] };
    const context = { cwd: '/', home: this.#options.home };
    return judgeCall({ toolName: 'Bash', input: { command } }, rules, context).behavior !== 'allow';
  }

  /** Whether a call of Bash runs unasked because it runs inside. */
  autoAllows(input: Readonly<Record<string, unknown>>): boolean {
    return this.policy.autoAllows && this.holds(input);
  }

  /** How to start bash with these arguments inside. */
  async launch({ args, cwd, env, folders, noteFile }: SandboxedCommand): Promise<Launch> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'signalbox-sandbox-'));
    const folder = await this.#folder;
    const temporaryFolder = join(folder, 'tmp');
    await mkdir(temporaryFolder, { recursive: true });
    // There before the command is: a mount cannot be replaced by a link or a pipe.
    if (noteFile !== undefined) await writeFile(noteFile, '', { flag: 'wx', mode: 0o600 });
    const socket = await this.#wayOut(folder);
    const command = ['bash', ...args];
    const real = folders.map(realPath);
    const release = this.#holdPlaces(real);
    const layout = {
      temporaryFolder,
      mounts: this.#mounts(real),
      inside: {
        ...(noteFile === undefined ? {} : { note: noteFile }),
        ...(socket === undefined ? {} : { proxy: socket }),
      },
      cwd: await realpath(cwd),
    };
    return {
      program: 'bwrap',
      args: bubblewrapArgs(
        layout,
        socket === undefined ? command : withForwarder(`${INSIDE}/proxy`, command),
      ),
      env: { ...withoutSecrets(env), TMPDIR: '/tmp', ...(socket === undefined ? {} : proxyVariables()) },
      release,
    };
  }

  /** What confines a command, in words for the model. */
  describe(): string {
    const { allowedDomains } = this.policy;
    const network =
      allowedDomains.length === 0 ? 'no network' : `no network but ${allowedDomains.join(', ')}`;
    return `It ran in a sandbox: it can write only to the working directories and /tmp, and has ${network}.`;
  }

  /** Nothing of it is left afterwards. */
  async close(): Promise<void> {
    await (await this.#proxy)?.close();
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    this.#placeholders.removeAll();
  }

  /** A person wants a file at a path that is kept from commands. */
  makeRoom(path: string): void {
    this.#placeholders.remove(path);
  }

  /** Folders stay for the session. Files stay as long as a command runs: people, too, may want to make them. */
  #holdPlaces(folders: readonly string[]): () => void {
    this.#placeholders.hold(folders.flatMap(folderPlaceholders));
    const home = realPath(this.#options.home);
    const writesHome = [...folders, ...this.policy.allowWrite.map(realPath)].some((folder) =>
      isInside(home, folder),
    );
    return this.#placeholders.hold([
      ...folders.flatMap(filePlaceholders),
      ...(writesHome ? homePlaceholders(home) : []),
    ]);
  }

  #mounts(folders: readonly string[]): ReturnType<typeof mountsFor> {
    const { allowWrite, denyWrite, allowRead, denyRead, allowUnixSockets } = this.policy;
    const { home, configDir, env } = this.#options;
    return mountsFor({
      write: [...folders, ...allowWrite, ...allowUnixSockets],
      protect: [...folders.flatMap(protectedPaths), ...protectedInHome(home), configDir, ...denyWrite],
      hide: [
        ...credentialPaths(home, configDir, env),
        ...denyRead,
        ...unixSockets().filter((path) => !allowUnixSockets.includes(path)),
      ],
      show: allowRead,
    });
  }

  /** The socket of the proxy; none where nothing can be reached. */
  async #wayOut(folder: string): Promise<string | undefined> {
    if (this.policy.allowedDomains.length === 0) return undefined;
    const socket = join(folder, 'proxy');
    this.#proxy ??= EgressProxy.listen(socket, this.policy, this.#options.network);
    await this.#proxy;
    return socket;
  }
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(childEnvironment(env)).filter(([name]) => !MODEL_KEYS.includes(name)),
  );
}
