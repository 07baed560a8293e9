import { type JsonObject, numberAt, textAt, turnOutcome } from '@signalbox/protocol';
import { t } from '../words/t.ts';
import type { TurnEndItem } from './item.ts';

/** Differences of sums are off by what nobody pays. */
const MICRO = 1e6;

/** How a turn ended, from its `result` message; what the agent had cost before it, where that is known. */
export function turnEnd(key: string, result: JsonObject, costBefore: number | undefined): TurnEndItem {
  const outcome = turnOutcome(result);
  return {
    kind: 'turn-end',
    key,
    durationMs: numberAt(result, 'duration_ms'),
    costUsd: costOf(numberAt(result, 'total_cost_usd'), costBefore),
    isInterrupted: outcome.how === 'interrupted',
    problem:
      outcome.how === 'failed' ? t.model.turnProblem(textAt(result, 'subtype'), outcome.problem) : undefined,
    changes: undefined,
  };
}

/** Agents count up from their start; one that is at less than before has begun anew. */
function costOf(total: number | undefined, before: number | undefined): number | undefined {
  if (total === undefined || before === undefined) return undefined;
  const cost = total < before ? total : total - before;
  return Math.round(cost * MICRO) / MICRO;
}
