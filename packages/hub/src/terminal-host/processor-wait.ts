import { readFileSync } from 'node:fs';

/** What the system has counted for this thread so far, in nanoseconds. */
interface Counted {
  ranNs: number;
  waitedNs: number;
}

/** How contended the processors are, seen from here: of the time in which this thread had work, how much it waited for one. */
export class ProcessorWait {
  #before = counted();

  /** From 0 to 1, since the last call; undefined where the system does not count it, as on macOS. */
  share(): number | undefined {
    const before = this.#before;
    const now = counted();
    this.#before = now;
    if (!before || !now) return undefined;
    const waited = now.waitedNs - before.waitedNs;
    const wanted = now.ranNs - before.ranNs + waited;
    return wanted > 0 ? waited / wanted : undefined;
  }
}

function counted(): Counted | undefined {
  try {
    const [ranNs = 0, waitedNs = 0] = readFileSync('/proc/thread-self/schedstat', 'utf8')
      .split(' ')
      .map(Number);
    return { ranNs, waitedNs };
  } catch {
    return undefined;
  }
}
