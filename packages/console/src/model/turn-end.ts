import type { JsonObject } from '@signalbox/protocol';
import type { TurnEndItem } from './item.ts';
import { listAt, numberAt, textAt } from './json-fields.ts';

const WORDS: Record<string, string> = {
  error_max_turns: 'It stopped at its limit of turns. Say “go on” to continue.',
  error_max_budget_usd: 'It stopped at its limit of costs.',
  error_max_structured_output_retries: 'It could not give the answer the form that was asked for.',
};

/** How a turn ended, from its `result` message. */
export function turnEnd(key: string, result: JsonObject): TurnEndItem {
  const isInterrupted = wasInterrupted(result);
  return {
    kind: 'turn-end',
    key,
    durationMs: numberAt(result, 'duration_ms'),
    costUsd: numberAt(result, 'total_cost_usd'),
    isInterrupted,
    problem: isInterrupted ? undefined : problemIn(result),
  };
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
