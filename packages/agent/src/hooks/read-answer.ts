import {
  type HookEvent,
  type HookOutput,
  LIMITS,
  messageOf,
  parseControlPayload,
  parseJson,
} from '@signalbox/protocol';
import { KeptOutput } from '../process/kept-output.ts';
import { HookFailure } from './hook-failure.ts';
import {
  blockedOutcome,
  type HookOutcome,
  type HookPermission,
  type HookRequestDecision,
  mergeOutcomes,
  NO_OUTCOME,
} from './hook-outcome.ts';

/** What is kept of a text that a hook gives to the model or the person: half from the start, half from the end. */
export const MAX_HOOK_TEXT_CHARS = 10_000;

/** A hook says that it goes on by itself. */
export type AsyncOutput = Extract<HookOutput, { async: true }>;
type SyncOutput = Exclude<HookOutput, AsyncOutput>;

/** Whether a hook says that it goes on by itself. */
export function isAsyncOutput(output: HookOutput): output is AsyncOutput {
  return output.async === true;
}

/** What a hook means that printed this and ended well. Throws {@link HookFailure}. */
export function outcomeOfText(event: HookEvent, text: string): HookOutcome {
  const answer = text.trim();
  if (answer.startsWith('{')) return outcomeOfOutput(event, outputOf(answerIn(answer)));
  // These two are often written as a plain `cat notes.md`.
  const isContext = event === 'UserPromptSubmit' || event === 'SessionStart';
  return isContext && answer ? { ...NO_OUTCOME, additionalContext: [cut(answer)] } : NO_OUTCOME;
}

/** A hook's answer in the shape of the protocol. Throws {@link HookFailure}. */
export function outputOf(answer: unknown): HookOutput {
  try {
    return parseControlPayload('hook_callback', answer);
  } catch (error) {
    throw new HookFailure(`its answer has the wrong shape: ${messageOf(error)}`, error);
  }
}

/** What an answer means for its event. Throws {@link HookFailure} rather than guess: a word misread might allow something. */
export function outcomeOfOutput(event: HookEvent, output: HookOutput): HookOutcome {
  if (isAsyncOutput(output)) return NO_OUTCOME;
  const { systemMessage, stopReason } = output;
  return mergeOutcomes([
    decided(event, output),
    specificOutcome(event, output),
    {
      ...NO_OUTCOME,
      ...(output.continue === false ? { stopped: cut(stopReason || 'A hook ended the turn.') } : {}),
      systemMessages: systemMessage ? [cut(systemMessage)] : [],
    },
  ]);
}

function decided(event: HookEvent, { decision, reason }: SyncOutput): HookOutcome {
  if (decision === undefined || decision === null) return NO_OUTCOME;
  if (decision === 'block') return blockedOutcome(event, reason ? cut(reason) : 'A hook forbade it.');
  if (decision !== 'approve') throw unknownName('decision', decision);
  if (event !== 'PreToolUse') return NO_OUTCOME;
  return { ...NO_OUTCOME, permission: { behavior: 'allow', reason: reason ?? '' } };
}

function specificOutcome(event: HookEvent, { hookSpecificOutput: specific }: SyncOutput): HookOutcome {
  if (!specific) return NO_OUTCOME;
  if (specific.hookEventName !== event) {
    throw new HookFailure(`it answered for ${specific.hookEventName}, but was asked about ${event}`);
  }
  const { additionalContext } = specific;
  return {
    ...NO_OUTCOME,
    additionalContext: additionalContext ? [cut(additionalContext)] : [],
    ...(event === 'PreToolUse' ? callOutcome(specific) : {}),
    ...(event === 'PermissionRequest' ? requestOutcome(specific) : {}),
    ...(event === 'PostToolUse' && specific.updatedMCPToolOutput !== undefined
      ? { updatedToolOutput: specific.updatedMCPToolOutput }
      : {}),
  };
}

type SpecificOutput = NonNullable<SyncOutput['hookSpecificOutput']>;

function callOutcome(specific: SpecificOutput): Pick<HookOutcome, 'permission' | 'updatedInput'> {
  const { permissionDecision: behavior, permissionDecisionReason: reason, updatedInput } = specific;
  return {
    ...(behavior ? permissionOf(behavior, reason ?? '') : {}),
    ...(updatedInput ? { updatedInput } : {}),
  };
}

function permissionOf(behavior: string, reason: string): { permission?: HookPermission } {
  switch (behavior) {
    case 'allow':
    case 'deny':
    case 'ask':
      return { permission: { behavior, reason: cut(reason) } };
    case 'defer':
      return {};
    default:
      throw unknownName('permissionDecision', behavior);
  }
}

function requestOutcome({ decision }: SpecificOutput): { request?: HookRequestDecision } {
  if (!decision) return {};
  switch (decision.behavior) {
    case 'allow': {
      const { updatedInput, updatedPermissions } = decision;
      return {
        request: {
          behavior: 'allow',
          ...(updatedInput ? { updatedInput } : {}),
          ...(updatedPermissions ? { updatedPermissions } : {}),
        },
      };
    }
    case 'deny':
      return {
        request: {
          behavior: 'deny',
          message: cut(decision.message || 'A hook denied the permission.'),
          interrupt: decision.interrupt === true,
        },
      };
    default:
      throw unknownName('decision.behavior', String(decision.behavior));
  }
}

/** A text that may be of any length, as it goes into the conversation. */
export function cut(text: string): string {
  const kept = new KeptOutput(MAX_HOOK_TEXT_CHARS);
  kept.add(text);
  return kept.text();
}

function answerIn(text: string): unknown {
  try {
    return parseJson(text, LIMITS.contentDepth);
  } catch (error) {
    throw new HookFailure(`it printed what begins like JSON but is none: ${messageOf(error)}`, error);
  }
}

function unknownName(field: string, name: string): HookFailure {
  return new HookFailure(`its answer has an unknown ${field} "${name}"`);
}
