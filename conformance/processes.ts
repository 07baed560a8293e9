import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mismatch } from './check.ts';

const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 25;

/** Looks until there is something to see. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await sleep(LOOK_EVERY_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Mismatch(`what should happen did not happen within ${PATIENCE_MS} ms`);
}

/** Ends every process that was started with this home, whoever is its parent by now. */
export function endAllWithHome(home: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (environment.includes(`HOME=${home}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended while we looked, or is not ours to look at.
    }
  }
}
