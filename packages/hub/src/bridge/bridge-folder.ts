import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BridgeOptionsError, BridgeRunningError } from './bridge-errors.ts';
import { lockFolder } from './folder-lock.ts';

/** What a bridge keeps about itself, for those who look for it; nothing of it is a secret. */
export interface BridgeMeta {
  id: string;
  session: string;
  hub: string;
  pid: number;
  host: string;
  cwd: string;
  /** Masked. */
  command: string[];
  /** When it was started, as an ISO date. */
  started: string;
  /** What the agent's tree carries in its environment. */
  mark: string;
  /** How the start went; neither is there before. */
  agentPid?: number;
  failure?: string;
}

/** A bridge removes its folder once in its life: nobody can be that unlucky. */
const MAX_ATTEMPTS = 10;

const ID = /^(?!\.)[\w.-]{1,100}$/;

/** Where all that Signalbox keeps on this machine is. */
export function signalboxHome(env: NodeJS.ProcessEnv = process.env): string {
  const { SIGNALBOX_HOME: home } = env;
  // Whoever is told of it may work in another folder.
  return home ? resolve(home) : join(homedir(), '.signalbox');
}

/** The folder of the bridge with this id. */
export function folderOf(home: string, id: string): string {
  if (!ID.test(id))
    throw new BridgeOptionsError(
      `"${id}" cannot be the id of a bridge: use letters, digits, ".", "_" and "-".`,
    );
  return join(home, 'bridges', id);
}

/** What a bridge needs on disk, owned by one process: its lock, `meta.json`, its outbox and its log. */
export class BridgeFolder {
  readonly path: string;
  /** What the process before left, when it did not end by itself. */
  readonly left: BridgeMeta | undefined;

  /** Throws {@link BridgeRunningError} when the bridge runs already. */
  constructor(home: string, id: string) {
    this.path = folderOf(home, id);
    const owner = inFolder(this.path, () => lockFolder(this.path));
    if (owner) throw new BridgeRunningError(id, owner.pid);
    this.left = readMeta(this.path);
    // These are for a link that lives; all that they hold is in the outbox too.
    rmSync(this.spill, { recursive: true, force: true });
  }

  /** Where every line is kept until the hub has it. */
  get outbox(): string {
    return join(this.path, 'outbox');
  }

  /** Where the link puts what is too much for its memory. */
  get spill(): string {
    return join(this.path, 'spill');
  }

  get log(): string {
    return logOf(this.path);
  }

  writeMeta(meta: BridgeMeta): void {
    const draft = join(this.path, 'meta.json.new');
    writeFileSync(draft, `${JSON.stringify(meta, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, join(this.path, 'meta.json'));
  }

  /**
   * All was delivered: nothing in here is needed any more. It is let go of in one step: whoever starts the next bridge of this id
   * would else make files in a folder that is being emptied.
   */
  remove(): void {
    // No bridge can have an id with a dot in front.
    const removed = join(dirname(this.path), `.removed-${crypto.randomUUID()}`);
    renameSync(this.path, removed);
    rmSync(removed, { recursive: true, force: true });
  }
}

/** Work in the folder of a bridge, which is made if need be; the bridge before may remove it at any moment. */
export function inFolder<T>(folder: string, work: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      return work();
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The log of the bridge that has this folder. */
export function logOf(folder: string): string {
  return join(folder, 'bridge.log');
}

/** What a bridge wrote about itself; undefined when it has not come to that. */
export function readMeta(folder: string): BridgeMeta | undefined {
  try {
    // Written by this program and replaced as a whole.
    const meta: BridgeMeta = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    return meta;
  } catch {
    return undefined;
  }
}
