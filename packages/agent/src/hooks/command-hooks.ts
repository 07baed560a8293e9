import { type HookEvent, messageOf } from '@signalbox/protocol';
import { killTree } from '../process/process-tree.ts';
import type { HookCall } from './hook-call.ts';
import { HookFailure } from './hook-failure.ts';
import type { HookLife } from './hook-life.ts';
import { blockedOutcome, type HookOutcome, NO_OUTCOME } from './hook-outcome.ts';
import { type HookEnd, HookProcess } from './hook-process.ts';
import type { CommandRule } from './hook-rules.ts';
import { cut, outcomeOfText } from './read-answer.ts';

/** How many hooks may go on beside the conversation; the next one is waited for. */
export const MAX_BACKGROUND_HOOKS = 32;

/** How many late answers wait to be taken. */
export const MAX_LATE_OUTCOMES = 100;

/** The code with which a hook forbids what was about to happen. */
const BLOCKED = 2;

/** Runs the commands of hooks, and keeps an eye on those that go on in the background. */
export class CommandHooks {
  readonly #env: () => NodeJS.ProcessEnv;
  readonly #onFailure: (rule: CommandRule, failure: unknown) => void;
  readonly #mark = crypto.randomUUID();
  readonly #running = new Set<HookProcess>();
  #state: 'open' | 'closed' = 'open';
  #started = 0;
  #inBackground = 0;
  #late: HookOutcome[] = [];

  constructor(parts: {
    env: () => NodeJS.ProcessEnv;
    /** A hook that went on in the background has failed. */
    onFailure: (rule: CommandRule, failure: unknown) => void;
  }) {
    this.#env = parts.env;
    this.#onFailure = parts.onFailure;
  }

  /** Settles when the hook has answered, or has said that it goes on by itself. Rejects when it fails. */
  async run(rule: CommandRule, call: HookCall, life: HookLife): Promise<HookOutcome> {
    if (this.#state === 'closed') return NO_OUTCOME;
    await life.started();
    const process = await this.#start(rule, call, life);
    const stop = (): void => void process.stop();
    if (call.signal.aborted || this.#isClosed()) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    try {
      const outcome = this.#outcome(process, call.event, life);
      const hasRoom = this.#inBackground < MAX_BACKGROUND_HOOKS;
      if (!hasRoom) return await outcome;
      if (rule.isAsync) return this.#letGo(rule, outcome);
      const first = await Promise.race([outcome, process.heard.announcedAsync]);
      if (!('async' in first)) return first;
      process.limit(first.asyncTimeout ?? rule.timeoutMs);
      return this.#letGo(rule, outcome);
    } finally {
      call.signal.removeEventListener('abort', stop);
    }
  }

  /** What hooks have answered since they were let go. Decisions come too late, context does not. */
  takeLate(): HookOutcome[] {
    return this.#late.splice(0);
  }

  /** End all that runs, and what hooks have left behind: nothing outlives its session. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await Promise.all([...this.#running].map((process) => process.stop()));
    if (this.#started > 0) killTree({ mark: this.#mark });
  }

  async #start(rule: CommandRule, call: HookCall, life: HookLife): Promise<HookProcess> {
    this.#started += 1;
    try {
      const process = await HookProcess.start({
        command: rule.command,
        input: JSON.stringify(call.input),
        cwd: call.cwd,
        env: this.#env(),
        mark: `${this.#mark}.${this.#started}.`,
        timeoutMs: rule.timeoutMs,
      });
      this.#running.add(process);
      life.watch(process.heard);
      return process;
    } catch (error) {
      const stderr = messageOf(error);
      await life.ended('error', { output: stderr, stdout: '', stderr });
      throw error;
    }
  }

  async #outcome(process: HookProcess, event: HookEvent, life: HookLife): Promise<HookOutcome> {
    const end = await process.ended;
    this.#running.delete(process);
    const code = end.how === 'exited' ? end.code : undefined;
    const said = process.heard.shown();
    try {
      const outcome = outcomeOf(event, end, process);
      await life.ended(end.how === 'stopped' ? 'cancelled' : code === 0 ? 'success' : 'error', said, code);
      return outcome;
    } catch (failure) {
      await life.ended(end.how === 'timed out' ? 'cancelled' : 'error', said, code);
      throw failure;
    }
  }

  #letGo(rule: CommandRule, answer: Promise<HookOutcome>): HookOutcome {
    this.#inBackground += 1;
    answer
      .then((outcome) => this.#keep(outcome))
      .catch((failure: unknown) => this.#onFailure(rule, failure))
      .finally(() => {
        this.#inBackground -= 1;
      });
    return NO_OUTCOME;
  }

  #keep({ additionalContext, systemMessages }: HookOutcome): void {
    if (additionalContext.length + systemMessages.length === 0) return;
    if (this.#late.length >= MAX_LATE_OUTCOMES) {
      throw new HookFailure(`${MAX_LATE_OUTCOMES} late answers wait already, and this one is dropped`);
    }
    this.#late.push({ additionalContext, systemMessages });
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }
}

/** What a hook means that ended like this. Throws {@link HookFailure}. */
function outcomeOf(event: HookEvent, end: HookEnd, { heard }: HookProcess): HookOutcome {
  if (end.how === 'stopped') return NO_OUTCOME;
  if (end.how === 'timed out') {
    throw new HookFailure(`it was ended after ${end.afterMs / 1000} s; give it a longer "timeout"`);
  }
  if (end.code === 0) return outcomeOfText(event, heard.answer());
  const complaint = heard.shown().stderr.trim();
  if (end.code === BLOCKED) return blockedOutcome(event, cut(complaint) || 'A hook forbade it.');
  const how = end.code === null ? `was killed by ${end.signal}` : `ended with code ${end.code}`;
  throw new HookFailure(complaint ? `it ${how}: ${complaint}` : `it ${how}`);
}
