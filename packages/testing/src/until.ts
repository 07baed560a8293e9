import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_MS } from './event-limit.ts';

/** Poll until something is so. The machine may be slow: the test's own limit is the only one. A line says what took so long. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const { stack } = new Error(`Still not so: ${look.toString()}`);
  const tell = setTimeout(() => process.stderr.write(`${stack}\n`), EVENT_MS);
  try {
    for (;;) {
      const found = await look();
      if (found) return found;
      await pause(20);
    }
  } finally {
    clearTimeout(tell);
  }
}
