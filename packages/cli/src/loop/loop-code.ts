import type { LoopEnd } from '@signalbox/protocol/loop';

/** Exit codes of a loop. */
export const LOOP_CODE: Record<LoopEnd, number> = { done: 0, limit: 1, failed: 1, stopped: 130 };
