import { Accounting } from './accounting.ts';
import { TurnTiming } from './turn-timing.ts';

/** A tool that was refused in this turn, as the result lists it. */
export type Denial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
};

/** How a turn ended. */
export type Ending =
  | { how: 'done'; text: string; structured?: unknown; localCommand?: string }
  /** A hook wanted no more of it. */
  | { how: 'stopped'; reason: string }
  | { how: 'interrupted'; during: 'streaming' | 'tools' }
  | { how: 'max-turns'; maxTurns: number }
  | { how: 'max-budget'; maxBudgetUsd: number }
  | { how: 'no-structured-output'; attempts: number }
  /** The API refused or broke off; the host was told in the model's place. */
  | { how: 'api-error'; text: string; status?: number | undefined; type?: string | undefined }
  | { how: 'failed'; error: Error };

/** What a turn has counted until its end. */
export interface TurnCount {
  timing: TurnTiming;
  apiMs: number;
  /** Messages that went back to the model: tool results, and the note of an interrupt. */
  returned: number;
  toolUses: number;
  stopReason: string | null;
  denials: Denial[];
  /** This turn's tokens. */
  turn: Accounting;
  /** The whole session's. */
  session: Accounting;
}

/** For a turn that never began. */
export function noCount(): TurnCount {
  return {
    timing: new TurnTiming(),
    apiMs: 0,
    returned: -1,
    toolUses: 0,
    stopReason: null,
    denials: [],
    turn: new Accounting(),
    session: new Accounting(),
  };
}

/** The message that ends a turn. Usage is the turn's; cost and usage by model are the session's, as hosts expect. */
export function resultMessage(ending: Ending, count: TurnCount, sessionId: string) {
  const common = {
    type: 'result' as const,
    duration_ms: count.timing.ms,
    duration_api_ms: Math.round(count.apiMs),
    num_turns: 1 + count.returned,
    stop_reason: count.stopReason,
    session_id: sessionId,
    uuid: crypto.randomUUID(),
    total_cost_usd: count.session.costUsd,
    usage: count.turn.usage,
    modelUsage: count.session.modelUsage,
    permission_denials: count.denials,
  };
  if (ending.how === 'done') {
    return {
      ...common,
      subtype: 'success' as const,
      is_error: false,
      result: ending.text,
      terminal_reason: 'completed',
      api_error_status: null,
      ...count.timing.fields,
      ...(ending.localCommand === undefined ? {} : { local_command: ending.localCommand }),
      ...(ending.structured === undefined ? {} : { structured_output: ending.structured }),
    };
  }
  if (ending.how === 'stopped') {
    return {
      ...common,
      subtype: 'success' as const,
      is_error: false,
      result: ending.reason,
      terminal_reason: 'hook_stopped',
    };
  }
  if (ending.how === 'api-error') {
    return {
      ...common,
      subtype: 'success' as const,
      is_error: true,
      result: ending.text,
      terminal_reason: 'api_error',
      api_error_status: ending.status ?? null,
      ...(ending.type === undefined ? {} : { api_error_type: ending.type }),
    };
  }
  return { ...common, ...failureFields(ending), is_error: true };
}

function failureFields(ending: Exclude<Ending, { how: 'done' | 'stopped' | 'api-error' }>) {
  switch (ending.how) {
    case 'interrupted':
      return failure('error_during_execution', 'The turn was interrupted.', `aborted_${ending.during}`);
    case 'max-turns':
      return failure('error_max_turns', `Reached maximum number of turns (${ending.maxTurns})`, 'max_turns');
    case 'max-budget':
      return failure(
        'error_max_budget_usd',
        `Reached maximum budget ($${ending.maxBudgetUsd})`,
        'budget_exhausted',
      );
    case 'no-structured-output':
      return failure(
        'error_max_structured_output_retries',
        `The model gave no output that fits the schema in ${ending.attempts} attempts`,
        'structured_output_retries',
      );
    case 'failed':
      return failure('error_during_execution', ending.error.message, 'error');
  }
}

function failure<const Subtype extends string>(subtype: Subtype, error: string, terminal_reason: string) {
  return { subtype, errors: [error], terminal_reason };
}
