import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a thread of the hub may have in use, or left behind, before a long message makes it free memory. */
const MAX_USED_BYTES = 32 * 1024 * 1024;

/** Messages that are longer leave much behind: each is copied several times on its way. */
export const LONG_MESSAGE_BYTES = 8 * 1024 * 1024;

let collect: (() => void) | undefined;

/**
 * Free what long messages have left behind. Left to itself, the engine waits until that is several times what is in use: four
 * prompts of 31 MB took 750 MB. It takes as long as what is in use is large, so it is called after long messages alone.
 */
export function freeMemory(): void {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  if (heap + external < MAX_USED_BYTES) return;
  collect ??= garbageCollector();
  collect();
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  return typeof gc === 'function' ? () => void gc() : () => {};
}
