import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { LIMITS, messageOf } from '@signalbox/protocol';
import { watchMemory } from './child-memory.ts';
import { GitFailedError, GitTimeoutError, GitUnavailableError } from './git-errors.ts';
import { GitSlots } from './git-slots.ts';

/** How long git may take, unless told otherwise. */
const GIT_SECONDS = 30;

const WORDS_BYTES = 16 * 1024;

/** Git removes its lock files when it is asked to end; after this it is not asked any more. */
const GRACE_MS = 2000;

/** What of this process's environment git gets: nothing that could point it at another repository, or at a program. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'USER', 'LOGNAME', 'TMPDIR', 'SystemRoot'];

/** What no repository decides, whatever its configuration says. */
const OWN_SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': ':',
  'core.quotePath': 'false',
  'color.ui': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'commit.gpgSign': 'false',
  'safe.bareRepository': 'explicit',
};

/** Settings that name a program which git runs for a look at a file, or to add one. */
const RUNS_A_PROGRAM =
  /^(?:filter\..*\.(?:clean|smudge|process|required)|diff\.external|diff\..*\.(?:command|textconv))$/;

/** Shared by all who ask: what one asks for without end must not start a program each time. */
const slots = new GitSlots();

/** No person's configuration is longer. */
const CONFIG_BYTES = 1024 * 1024;

const FILTER = /^filter\.(.*)\.(?:clean|smudge|process)$/;

/** Told to git with the rest: an older one does not hear it, and so would not hear the rest. */
const MARK = 'signalbox.isheard';

/** How git is run. */
export interface GitRunOptions {
  env?: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
  seconds?: number;
  /** What comes after these is not read: git is ended. */
  maxBytes?: number;
  /** Exit codes that are no failure. */
  codes?: readonly number[];
}

/** What holds for every run of a {@link Git}. */
export interface GitOpenOptions extends Pick<GitRunOptions, 'env' | 'seconds'> {
  /** Working trees of the same repository that git will look into from here: each may have a configuration of its own. */
  others?: readonly string[];
}

/** What git wrote, up to a limit. */
export interface GitOutput {
  stdout: Buffer;
  /** There was more. */
  isCut: boolean;
}

/**
 * Git in a folder whose repository is not trusted: it may have been unpacked, or written to by an agent. No hook, filter, pager,
 * monitor or helper that its own configuration names is run, and nothing is fetched; what the person has set for all
 * repositories holds.
 */
export class Git {
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #defaults: GitOpenOptions;
  /** Filters that the repository itself names: files that go through them are taken as they are. */
  readonly withheldFilters: ReadonlySet<string>;

  private constructor(
    folder: string,
    settings: Readonly<Record<string, string>>,
    withheld: readonly string[] = [],
    defaults: GitOpenOptions = {},
  ) {
    this.#folder = folder;
    this.#settings = settings;
    this.#defaults = defaults;
    this.withheldFilters = new Set(withheld.flatMap((name) => FILTER.exec(name)?.[1] ?? []));
  }

  /** For questions that take no look at files, such as where a repository is: its configuration was not read for it. */
  static forNames(folder: string): Git {
    return new Git(folder, { ...OWN_SETTINGS, [MARK]: 'true' });
  }

  /** Raises `GIT_UNAVAILABLE`. */
  static async open(folder: string, defaults: GitOpenOptions = {}): Promise<Git> {
    const folders = [folder, ...(defaults.others ?? [])];
    const replaced = await Promise.all(folders.map((one) => programsIn(Git.forNames(one))));
    const settings = Object.fromEntries(replaced.flatMap((one) => Object.entries(one)));
    return new Git(folder, { ...OWN_SETTINGS, ...settings }, Object.keys(settings), defaults);
  }

  /**
   * What git prints, all of it and without the line end. Whatever comes from outside must follow `--` or `--end-of-options`.
   * Raises `GIT_FAILED`, `GIT_TIMEOUT` or `GIT_UNAVAILABLE`.
   */
  async text(words: readonly string[], options: GitRunOptions = {}): Promise<string> {
    const { maxBytes = LIMITS.gitOutputBytes.most } = options;
    const { stdout, isCut } = await this.run(words, { ...options, maxBytes });
    if (isCut) throw new GitFailedError(`it says more than ${maxBytes} bytes`);
    return stdout.toString().replace(/\n$/, '');
  }

  /** The first line of it; undefined when git fails. */
  async line(words: readonly string[], options?: GitRunOptions): Promise<string | undefined> {
    try {
      return (await this.text(words, options)).split('\n')[0];
    } catch (error) {
      if (error instanceof GitFailedError) return undefined;
      throw error;
    }
  }

  /** What git prints, as far as the limit. Paths are taken as they are. Raises the same. */
  async run(words: readonly string[], options: GitRunOptions = {}): Promise<GitOutput> {
    const release = await slots.take(this.#folder);
    try {
      return await this.#run(words, options);
    } finally {
      release();
    }
  }

  async #run(
    words: readonly string[],
    {
      env,
      input,
      seconds = this.#defaults.seconds ?? GIT_SECONDS,
      maxBytes = LIMITS.gitOutputBytes.most,
      codes = [0],
    }: GitRunOptions,
  ): Promise<GitOutput> {
    const child = this.#spawn(words, env);
    const state: { end: 'running' | 'cut' | 'late' | 'large' } = { end: 'running' };
    const kills: NodeJS.Timeout[] = [];
    const end = (why: 'cut' | 'late' | 'large'): void => {
      if (state.end !== 'running') return;
      state.end = why;
      child.kill('SIGTERM');
      kills.push(setTimeout(() => child.kill('SIGKILL'), GRACE_MS));
    };
    const timer = setTimeout(() => end('late'), seconds * 1000);
    const { most } = LIMITS.gitMemoryBytes;
    const unwatch = child.pid === undefined ? () => {} : watchMemory(child.pid, most, () => end('large'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes < maxBytes) chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) end('cut');
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < WORDS_BYTES) said += chunk.toString();
    });
    // Git may end before it has read it all: its exit says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    try {
      const [code] = await once(child, 'close').catch((error: unknown) => {
        throw new GitUnavailableError(error);
      });
      if (state.end === 'late') throw new GitTimeoutError(seconds);
      if (state.end === 'large') throw new GitFailedError(`it took more than ${most} bytes of memory`);
      if (state.end === 'running' && !codes.includes(Number(code ?? -1))) throw new GitFailedError(said);
      return { stdout: Buffer.concat(chunks), isCut: state.end === 'cut' };
    } finally {
      unwatch();
      for (const one of [timer, ...kills]) clearTimeout(one);
    }
  }

  /** Raises `GIT_FAILED` for words that no program can be given: too many, or with a NUL. */
  #spawn(
    words: readonly string[],
    env: GitRunOptions['env'],
  ): ChildProcessByStdio<Writable, Readable, Readable> {
    try {
      return spawn('git', ['--no-pager', ...words], {
        cwd: this.#folder,
        env: { ...environment(this.#settings), ...this.#defaults.env, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      throw new GitFailedError(`it cannot be asked that (${messageOf(error)})`);
    }
  }
}

/** For each program that a working tree names: what is set in its place. */
async function programsIn(careful: Git): Promise<Record<string, string>> {
  const { stdout, isCut } = await careful
    .run(['config', '--list', '--show-scope', '-z'], { maxBytes: CONFIG_BYTES })
    .catch((error: unknown) => {
      // Before 2.26 it knows no scopes.
      throw error instanceof GitFailedError && /show-scope|usage:/.test(error.words)
        ? new GitUnavailableError(error)
        : error;
    });
  // What was not read may name a program.
  if (isCut) throw new GitFailedError(`its configuration has more than ${CONFIG_BYTES} bytes`);
  return withoutPrograms(stdout.toString());
}

function environment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    LC_ALL: 'C',
    // Nothing is written for a look: neither the person's index nor a lock file.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
    // What is missing in a partial clone is not fetched: that would run what the repository names for it.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  };
  for (const name of PASSED_ON) if (process.env[name] !== undefined) env[name] = process.env[name];
  for (const [at, [name, value]] of Object.entries(settings).entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = name;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return env;
}

/** For each program that the repository names: what the person has said in its place, or nothing. */
function withoutPrograms(list: string): Record<string, string> {
  const own = new Map<string, string>();
  const named = new Set<string>();
  let isHeard = false;
  const words = list.split('\0');
  for (let at = 0; at + 1 < words.length; at += 2) {
    const scope = words[at] ?? '';
    const [name = '', ...value] = (words[at + 1] ?? '').split('\n');
    // From here alone: a repository may say the same.
    if (name === MARK && scope === 'command') isHeard = true;
    if (!RUNS_A_PROGRAM.test(name)) continue;
    if (scope === 'local' || scope === 'worktree') named.add(name);
    else own.set(name, value.join('\n'));
  }
  if (!isHeard) throw new GitUnavailableError();
  const nothing = (name: string): string => (name.endsWith('.required') ? 'false' : '');
  return Object.fromEntries([...named].map((name) => [name, own.get(name) ?? nothing(name)]));
}
