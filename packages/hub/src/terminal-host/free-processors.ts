import { readFileSync } from 'node:fs';

/** What the system has counted since its start, in ticks of its clock. */
interface Counted {
  processors: number;
  /** Of all processors together. */
  total: number;
  idle: number;
}

/** How many processors of the machine have nothing to do. */
export class FreeProcessors {
  #before = counted();

  /** On average since the last call; undefined where the system does not count it, as on macOS. */
  since(): number | undefined {
    const before = this.#before;
    const now = counted();
    this.#before = now;
    if (!before || !now || now.total <= before.total) return undefined;
    return (now.processors * (now.idle - before.idle)) / (now.total - before.total);
  }
}

function counted(): Counted | undefined {
  try {
    const [all = '', ...each] = readFileSync('/proc/stat', 'utf8').split('\n');
    // The time of guests is part of user and nice.
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, ...interrupts] = all
      .split(/ +/)
      .slice(1, 9)
      .map(Number);
    const busy = [user, nice, system, ...interrupts].reduce((sum, ticks) => sum + ticks, 0);
    const processors = each.filter((line) => /^cpu\d/.test(line)).length;
    return { processors, total: busy + idle + wait, idle: idle + wait };
  } catch {
    return undefined;
  }
}
