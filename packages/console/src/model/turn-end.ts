import { type JsonObject, listAt, numberAt, textAt } from '@signalbox/protocol';
import type { TurnEndItem } from './item.ts';

const WORDS: Record<string, string> = {
  error_max_turns: 'It stopped at its limit of turns. Say “go on” to continue.',
  error_max_budget_usd: 'It stopped at its limit of costs.',
  error_max_structured_output_retries: 'It could not give the answer the form that was asked for.',
};

/** Differences of sums are off by what nobody pays. */
const MICRO = 1e6;

/** How a turn ended, from its `result` message; what the agent had cost before it, where that is known. */
export function turnEnd(key: string, result: JsonObject, costBefore: number | undefined): TurnEndItem {
  const isInterrupted = wasInterrupted(result);
  return {
    kind: 'turn-end',
    key,
    durationMs: numberAt(result, 'duration_ms'),
    costUsd: costOf(numberAt(result, 'total_cost_usd'), costBefore),
    isInterrupted,
    problem: isInterrupted ? undefined : problemIn(result),
  };
}

/** Agents count up from their start; one that is at less than before has begun anew. */
function costOf(total: number | undefined, before: number | undefined): number | undefined {
  if (total === undefined || before === undefined) return undefined;
  const cost = total < before ? total : total - before;
  return Math.round(cost * MICRO) / MICRO;
}

function problemIn(result: JsonObject): string | undefined {
  const subtype = textAt(result, 'subtype');
  if (subtype === 'success') {
    return result.is_error === true ? textAt(result, 'result') || 'It failed without saying why.' : undefined;
  }
  const errors = listAt(result, 'errors').filter((error) => typeof error === 'string' && error !== '');
  return WORDS[subtype] ?? (errors.join('\n') || 'It failed without saying why.');
}

/** Agents tell an interrupt by `terminal_reason`; old ones only by saying nothing. */
function wasInterrupted(result: JsonObject): boolean {
  if (result.subtype !== 'error_during_execution') return false;
  const reason = textAt(result, 'terminal_reason');
  return reason ? reason.startsWith('aborted') : listAt(result, 'errors').length === 0;
}
