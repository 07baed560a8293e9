import { type JsonObject, messageOf } from '@signalbox/protocol';
import type { HookCall } from './hook-call.ts';
import { HookFailure } from './hook-failure.ts';
import { blockedOutcome, type HookOutcome, NO_OUTCOME } from './hook-outcome.ts';
import type { CallbackRule } from './hook-rules.ts';
import { outcomeOfOutput, outputOf } from './read-answer.ts';

/** Calls a function of the host. Must reject when the signal fires, and tell the host that nobody waits any more. */
export type AskHost = (
  callbackId: string,
  input: JsonObject,
  toolUseId: string | undefined,
  signal: AbortSignal,
) => Promise<unknown>;

/** Ask the host. Throws {@link HookFailure}; a call whose guard is silent is not made, and `onFailure` hears of it. */
export async function runCallback(
  { callbackId, timeoutMs }: CallbackRule,
  { event, input, toolUseId, signal }: HookCall,
  ask: AskHost,
  onFailure: (failure: HookFailure) => void,
): Promise<HookOutcome> {
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  const clock = { ranOut: false };
  const timer = setTimeout(() => {
    clock.ranOut = true;
    waiting.abort();
  }, timeoutMs).unref();
  try {
    const answer = await ask(callbackId, input, toolUseId, waiting.signal);
    return outcomeOfOutput(event, outputOf(answer));
  } catch (error) {
    if (signal.aborted) return NO_OUTCOME;
    if (error instanceof HookFailure) throw error;
    if (!clock.ranOut) throw new HookFailure(`the host could not answer: ${messageOf(error)}`, error);
    const silence = new HookFailure(`the host did not answer within ${timeoutMs / 1000} s`, error);
    if (event !== 'PreToolUse') throw silence;
    onFailure(silence);
    return blockedOutcome(event, `A hook was asked about it, but ${silence.message}.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
