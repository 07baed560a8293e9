import type { ResultMessage } from '@signalbox/protocol';

/** Why a turn did not end well, in words; nothing when it did or when the person stopped it. */
export function resultProblem(result: ResultMessage): string | undefined {
  switch (result.subtype) {
    case 'success':
      return result.is_error ? result.result || 'The turn failed without saying why.' : undefined;
    case 'error_max_turns':
      return 'It stopped at the limit of turns (--max-turns). Say "go on" to continue.';
    case 'error_max_budget_usd':
      return 'It stopped at the limit of costs (--max-budget-usd). Start it again with a higher one.';
    case 'error_max_structured_output_retries':
      return 'It could not give the answer the form that was asked for.';
    case 'error_during_execution': {
      const reason = (result.errors ?? []).filter(Boolean).join('\n');
      return wasStopped(result) ? undefined : reason || 'The turn failed without saying why.';
    }
    default:
      return `The turn ended with ${String(result.subtype)}.`;
  }
}

/** An interrupt is no failure. Agents tell it by `terminal_reason`; old ones only by saying nothing. */
function wasStopped(result: Extract<ResultMessage, { subtype: 'error_during_execution' }>): boolean {
  const reason = result.terminal_reason;
  return reason ? reason.startsWith('aborted') : (result.errors ?? []).length === 0;
}
