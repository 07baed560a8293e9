import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolOptions, type PoolRunnerInitializer } from 'vitest/node';

const MEBIBYTE = 1024 * 1024;

/** A worker of another name than its pool's is never used again. */
const NAME = 'lean';

/** What a worker may hold after a test file, to be given another one. */
const MAX_RESIDENT_MB = 300;

/** The same of one that has a browser: another one would start it anew, and tests of pages start few processes. */
const MAX_WITH_BROWSER_MB = 600;

/** The project whose files share a browser. */
export const PAGES = 'pages';

/**
 * A worker that is replaced once it has grown. Node forks to start a process, which copies its page tables: 2 ms of processor
 * time from a worker of 60 MB, 34 ms from one of 660 MB. A run starts thousands of processes.
 */
class LeanWorker extends ForksPoolWorker {
  override readonly name = NAME;
  readonly #maxMb: number;

  constructor(options: PoolOptions) {
    super(options);
    this.#maxMb = options.project.name === PAGES ? MAX_WITH_BROWSER_MB : MAX_RESIDENT_MB;
  }

  canReuse(): boolean {
    // Private in vitest, which has no other way to tell whose memory it is.
    const child: ChildProcess | undefined = Reflect.get(this, '_fork');
    return child?.pid === undefined || residentMb(child.pid) < this.#maxMb;
  }
}

export const leanWorkers: PoolRunnerInitializer = {
  name: NAME,
  createPoolWorker: (options: PoolOptions) => new LeanWorker(options),
};

/** On Linux only. */
function residentMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / MEBIBYTE;
}
