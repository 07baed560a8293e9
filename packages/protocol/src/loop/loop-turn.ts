import { type JsonObject, numberAt, textAt } from '../json-fields.ts';
import { turnOutcome } from '../words/end-words.ts';
import type { LoopTurn } from './loop.ts';

/** The turn of an iteration from its `result`; `costBefore` is what its agent had cost before it. */
export function loopTurn(result: JsonObject, costBefore: number): LoopTurn {
  const outcome = turnOutcome(result);
  const total = numberAt(result, 'total_cost_usd') ?? 0;
  return {
    how: outcome.how,
    text: outcome.how === 'failed' ? outcome.problem : textAt(result, 'result'),
    turns: numberAt(result, 'num_turns') ?? 1,
    // Agents tell the sum of all their turns; one that was started anew counts from nothing.
    costUsd: total < costBefore ? total : total - costBefore,
  };
}
