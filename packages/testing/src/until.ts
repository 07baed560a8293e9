import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_MS } from './event-limit.ts';

/** How long `until` pauses between two looks: at first, and when it has waited for long. */
const LOOK_MS = { first: 20, last: 60 } as const;

/**
 * Poll until something is so. The machine may be slow: the test's own limit is the only one, and a line says what took so long. Who
 * has waited for long looks less often, up to a tenth of the time that it took: a look may be a request, and takes from those who
 * are waited for.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const { stack } = new Error(`Still not so: ${look.toString()}`);
  const tell = setTimeout(() => process.stderr.write(`${stack}\n`), EVENT_MS);
  const begun = performance.now();
  try {
    for (;;) {
      const found = await look();
      if (found) return found;
      await pause(Math.min(LOOK_MS.last, Math.max(LOOK_MS.first, (performance.now() - begun) / 10)));
    }
  } finally {
    clearTimeout(tell);
  }
}
