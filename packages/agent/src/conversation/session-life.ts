import { timeLimit } from '@signalbox/protocol';
import { aborted } from '../base/aborted.ts';
import type { SessionCore } from '../loop/session-core.ts';

/** How long hooks may take over the end of a session: hosts kill an agent that does not go. */
const SESSION_END_HOOKS_MS = 1500;

/** What began a session. */
export type SessionSource = 'startup' | 'resume' | 'clear';

/** Tells hooks when a session begins, is asked something, and ends. */
export class SessionLife {
  readonly #core: SessionCore;
  #source: SessionSource;
  /** What hooks have added at the start; undefined until they are told of it. */
  #beginning: Promise<readonly string[]> | undefined;
  #hasHeard = false;

  constructor(core: SessionCore, source: SessionSource) {
    this.#core = core;
    this.#source = source;
  }

  /** Tell hooks that it begins, unless they know. */
  async begin(model: string, signal: AbortSignal): Promise<void> {
    this.#beginning ??= this.#begin(model, signal);
    await Promise.race([this.#beginning, aborted(signal)]);
  }

  /** With the first prompt: what the model is to know from the start. It begins now if it has not yet. */
  async beginWithPrompt(model: string, signal: AbortSignal): Promise<readonly string[]> {
    await this.begin(model, signal);
    if (this.#hasHeard || signal.aborted) return [];
    this.#hasHeard = true;
    return (await this.#beginning) ?? [];
  }

  async #begin(model: string, signal: AbortSignal): Promise<readonly string[]> {
    const { hooks, options } = this.#core;
    const source = this.#source;
    const trigger = source === 'clear' ? undefined : options.setUpFor;
    const setUp = trigger && (await hooks.run('Setup', { trigger }, { signal, matchOn: trigger }));
    const heard = await hooks.run('SessionStart', { source, model }, { signal, matchOn: source });
    return [...(setUp?.additionalContext ?? []), ...heard.additionalContext];
  }

  /** Hooks may add to a prompt, or refuse it. */
  async hear(
    prompt: string,
    signal: AbortSignal,
  ): Promise<{ context: readonly string[]; refusal: string | undefined }> {
    const heard = await this.#core.hooks.run('UserPromptSubmit', { prompt }, { signal });
    return { context: heard.additionalContext, refusal: heard.blocked ?? heard.stopped };
  }

  /** It ends; what comes next is a new one. */
  async end(reason: string, next: SessionSource = 'startup'): Promise<void> {
    if (!this.#beginning) return;
    this.#beginning = undefined;
    this.#hasHeard = false;
    this.#source = next;
    const signal = timeLimit(SESSION_END_HOOKS_MS);
    await this.#core.hooks.run('SessionEnd', { reason }, { signal, matchOn: reason });
  }
}
