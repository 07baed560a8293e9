import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
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

/** A process that has ended and that nobody has asked about yet is not running. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
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

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
