import type { Author } from '../hub/schema/author.ts';
import { type JsonObject, listAt, textAt } from '../json-fields.ts';

/** What is said of a failure that nobody gave a reason for. */
export const UNEXPLAINED = 'It failed without saying why.';

const PROBLEMS: Record<string, string> = {
  error_max_turns: 'It stopped at its limit of turns. Say “go on” to continue.',
  error_max_budget_usd: 'It stopped at its limit of costs. Start it again with a higher one.',
  error_max_structured_output_retries: 'It could not give the answer the form that was asked for.',
};

/** How a turn ended, from its `result` message: well, because a person stopped it, or with a problem. */
export type TurnOutcome = { how: 'well' } | { how: 'interrupted' } | { how: 'failed'; problem: string };

export function turnOutcome(result: JsonObject): TurnOutcome {
  const subtype = textAt(result, 'subtype');
  if (subtype === 'success')
    return result.is_error === true
      ? { how: 'failed', problem: textAt(result, 'result') || UNEXPLAINED }
      : { how: 'well' };
  if (subtype === 'error_during_execution' && wasInterrupted(result)) return { how: 'interrupted' };
  const errors = listAt(result, 'errors').filter((error) => typeof error === 'string' && error !== '');
  const unknown = subtype === 'error_during_execution' ? UNEXPLAINED : `The turn ended with ${subtype}.`;
  return { how: 'failed', problem: PROBLEMS[subtype] ?? (errors.join('\n') || unknown) };
}

/** Agents tell an interrupt by `terminal_reason`; old ones only by saying nothing. */
function wasInterrupted(result: JsonObject): boolean {
  const reason = textAt(result, 'terminal_reason');
  return reason ? reason.startsWith('aborted') : listAt(result, 'errors').length === 0;
}

/** Who told the agent to end, once this entry of its record is read too; `before` is who it was up to there. */
export function enderAfter(
  before: string | undefined,
  { type, subtype }: JsonObject,
  author: Author | undefined,
): string | undefined {
  if (type === 'hub' && subtype === 'stop' && author?.by === 'person') return author.name;
  return type === 'bridge' && subtype === 'started' ? undefined : before;
}

/** How the process of an agent ended. Where a person ended it, its code says nothing. */
export function exitWords(
  { code, signal }: { code: number | null; signal: string | null },
  endedBy?: string,
): string {
  if (endedBy !== undefined) return `${endedBy} ended the agent`;
  if (signal !== null) return `The agent was ended by ${signal}`;
  if (code === null) return 'The agent is gone';
  return code === 0 ? 'The agent has ended' : `The agent failed with exit code ${code}`;
}
