import { CHILD_GRACE_MS, type ChildExit, StreamTransport } from '@signalbox/transport/stdio';
import type { SpawnedProcess } from '../types/process.ts';

/** What a custom spawner started. We hold no more of it than its pipes and its `kill`. */
export class ForeignProcess extends StreamTransport {
  readonly exited: Promise<ChildExit>;
  readonly stderrTail = '';
  readonly #process: SpawnedProcess;

  constructor(spawned: SpawnedProcess) {
    super(spawned.stdout, spawned.stdin);
    this.#process = spawned;
    this.exited = new Promise((resolve) => {
      const { exitCode, signalCode = null } = spawned;
      if (exitCode !== null || signalCode !== null) resolve({ code: exitCode, signal: signalCode });
      spawned.once('exit', (code, signal) => resolve({ code, signal }));
      // One that never came to life never exits either.
      spawned.once('error', () => resolve({ code: spawned.exitCode ?? 1, signal: null }));
    });
    void this.exited.then(() => this.readWithoutBackpressure());
  }

  protected override async delivered(): Promise<void> {
    void this.endInput();
    for (const [signal, graceMs] of [
      ['SIGTERM', CHILD_GRACE_MS.afterEndOfInput],
      ['SIGKILL', CHILD_GRACE_MS.afterSigterm],
    ] as const) {
      if (await exitedWithin(this.exited, graceMs)) return;
      this.#process.kill(signal);
    }
    // A stub whose kill does nothing must not keep its host waiting for ever.
    await exitedWithin(this.exited, CHILD_GRACE_MS.afterSigterm);
  }
}

async function exitedWithin(exited: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([exited.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
