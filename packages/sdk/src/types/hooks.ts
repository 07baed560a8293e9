import type { HookInput } from './hook-inputs.ts';
import type { HookSpecificOutput } from './hook-outputs.ts';

/** A hook's decision. */
export interface SyncHookJSONOutput {
  continue?: boolean;
  suppressOutput?: boolean;
  stopReason?: string;
  decision?: 'approve' | 'block';
  systemMessage?: string;
  reason?: string;
  hookSpecificOutput?: HookSpecificOutput;
}

/** What a hook says that goes on by itself: the agent does not wait for it. */
export interface AsyncHookJSONOutput {
  async: true;
  asyncTimeout?: number;
}

/** What a hook answers. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;

/** A hook. What it throws becomes an error answer; the signal fires when the agent no longer waits. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookJSONOutput>;

/** Hooks, and the calls that they are for: `Bash`, `Write|Edit`, all of them without a matcher. */
export interface HookCallbackMatcher {
  matcher?: string;
  hooks: HookCallback[];
  /** In seconds; the agent goes on without an answer after that. */
  timeout?: number;
  onFailure?: 'continue' | 'block';
}
