import { setTimeout as delay } from 'node:timers/promises';
import type { Transport, TransportState } from '../src/transport.ts';

/** Nothing has happened for this long: nothing will. */
const STILL_MS = 100;

/** The texts of the next `count` lines; fewer when the transport ends before. */
export async function readLines(lines: AsyncIterator<WireText>, count: number): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) {
    const { done, value } = await lines.next();
    if (done) break;
    texts.push(value.text());
  }
  return texts;
}

interface WireText {
  text(): string;
}

/** The texts of all lines up to the end. */
export function readToEnd(transport: Transport): Promise<string[]> {
  return readLines(transport.receive(), Number.POSITIVE_INFINITY);
}

/** Send all lines, each when there is room for it. */
export async function sendAll(transport: Transport, lines: Iterable<string | Uint8Array>): Promise<void> {
  for (const line of lines) await transport.send(line);
}

/** The same in the background; `taken()` says how many found room. */
export function startWriting(
  transport: Transport,
  lines: Iterable<string>,
): { taken: () => number; done: Promise<void> } {
  let taken = 0;
  const done = (async () => {
    for (const line of lines) {
      await transport.send(line);
      taken += 1;
    }
  })();
  // A test that fails before it waits for the writer must not fail twice.
  done.catch(() => {});
  return { taken: () => taken, done };
}

/** What a promise is rejected with; undefined when it is not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Settles when the transport is in this state. */
export function untilState(transport: Transport, state: TransportState): Promise<void> {
  if (transport.state === state) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = transport.onStateChange((changed) => {
      if (changed !== state) return;
      stop();
      resolve();
    });
  });
}

/** Settles once `progress` has begun and stands still. That something does not happen has no event to wait for. */
export async function untilStill(progress: () => number): Promise<void> {
  for (let before = 0; before === 0 || before !== progress(); ) {
    before = progress();
    await delay(STILL_MS);
  }
}
