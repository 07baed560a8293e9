import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a line did when the real bash ran it. */
export interface Run {
  /** The programs that ran, with their arguments. */
  readonly commands: readonly (readonly string[])[];
  /** Whether one of them was not the program that PATH had promised. */
  readonly hijacked: boolean;
  /** What is new in the folder it ran in. */
  readonly files: readonly string[];
  /** What it and its programs printed. */
  readonly output: string;
}

/** What is in `secret` beside the folder and in the home folder, and in the variable `API_TOKEN`. */
export const SECRETS = ['text-of-a-secret-file', 'value-of-a-secret-variable'] as const;

/** A file that every folder has. */
const OWN_FILE = 'mine';

const LOGGERS = ['alpha', 'beta', 'gamma', 'nope'];

/** Real programs that lines may use to run the others. */
const WRAPPERS = ['bash', 'cat', 'env', 'nice', 'nohup', 'stdbuf', 'timeout', 'xargs'];

/** Real programs that show what they read. */
const READERS = 'awk base64 cut diff find grep head jq paste sed sort tac tail tr wc'.split(' ');

const RUN_LIMIT_MS = 60_000;
const NOBODY = 65_534;

const LOGGER = `#!/bin/sh
printf '%s\\0' "$L" "$#" "$0" "$@" >&9
`;

const DRIVER = `
exec 9>&1
FUNCNEST=8
mapfile -d '' -t __lines < "$1"
for __at in "\${!__lines[@]}"; do
  ( ulimit -t 1 -f 100; cd "$2/$__at"; export L=$__at; v=x; eval "\${__lines[$__at]}" ) </dev/null >"$2/$__at.out" 2>&1
done
wait
`;

/** A place where lines have nothing to call but programs that log it, as a user who may write nowhere else. */
export class RealBash {
  readonly #folder = mkdtempSync(join(tmpdir(), 'permission-'));
  readonly #good = makeFolder(this.#folder, 'good');
  readonly #evil = makeFolder(this.#folder, 'evil');
  readonly home = makeFolder(this.#folder, 'home');
  #batches = 0;

  constructor() {
    chmodSync(this.#folder, 0o755);
    for (const folder of [this.#good, this.#evil]) {
      for (const name of LOGGERS) {
        writeFileSync(join(folder, name), LOGGER + (name === 'nope' ? 'exit 1\n' : ''), { mode: 0o755 });
      }
    }
    writeFileSync(join(this.home, 'secret'), SECRETS[0]);
    for (const name of [...WRAPPERS, ...READERS]) symlinkSync(join('/usr/bin', name), join(this.#good, name));
  }

  /** Runs each line in a folder of its own and reports what it did, what it left running included. */
  async run(lines: readonly string[]): Promise<readonly Run[]> {
    const batch = makeFolder(this.#folder, `batch-${this.#batches++}`);
    const folders = lines.map((_, at) => makeFolder(batch, String(at)));
    for (const folder of folders) writeFileSync(join(folder, OWN_FILE), 'of no interest');
    writeFileSync(join(batch, 'secret'), SECRETS[0]);
    const script = join(batch, 'lines');
    writeFileSync(script, lines.join('\0'));
    const log = (await this.#logOf(script, batch)).split('\0');
    const commands = lines.map((): string[][] => []);
    const hijacked = new Set<number>();
    for (let at = 0; at + 2 < log.length; ) {
      const [line, count] = [Number(log[at]), Number(log[at + 1])];
      const [program = '', ...args] = log.slice(at + 2, at + 3 + count);
      commands[line]?.push([program.slice(program.lastIndexOf('/') + 1), ...args]);
      if (!program.startsWith(`${this.#good}/`)) hijacked.add(line);
      at += 3 + count;
    }
    return folders.map((folder, at) => ({
      commands: commands[at] ?? [],
      hijacked: hijacked.has(at),
      files: readdirSync(folder).filter((name) => name !== OWN_FILE),
      output: readFileSync(`${folder}.out`, 'utf8'),
    }));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #logOf(script: string, batch: string): Promise<string> {
    const child = spawn('/bin/bash', ['-c', DRIVER, 'bash', script, batch], {
      ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
      env: {
        PATH: this.#good,
        HOME: this.home,
        EVIL: this.#evil,
        GAMMA: 'gamma',
        API_TOKEN: SECRETS[1],
        LC_ALL: 'C.UTF-8',
      },
      cwd: batch,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    // The whole group: a coprocess that waits for input would keep the log open for ever.
    const killer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), RUN_LIMIT_MS);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => child.on('close', resolve));
    clearTimeout(killer);
    return Buffer.concat(chunks).toString();
  }
}

/** A line that goes wrong must not be able to write outside of its folder. */
function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
