import { type HookEvent, type JsonObject, messageOf, type OutboundAgentMessage } from '@signalbox/protocol';
import { debugLog } from '../base/debug-log.ts';
import { type AskHost, runCallback } from './callback-hook.ts';
import { CommandHooks } from './command-hooks.ts';
import { type HookCall, subjectOf } from './hook-call.ts';
import { HookLife } from './hook-life.ts';
import { type HookListing, listHooks } from './hook-listing.ts';
import { type HookOutcome, mergeOutcomes, NO_OUTCOME } from './hook-outcome.ts';
import {
  type CallbackRule,
  type CommandRule,
  callbackRules,
  commandRules,
  type HookRule,
} from './hook-rules.ts';

const debug = debugLog('hooks');

/** How much of a problem is told: it is one line on stderr. */
const MAX_PROBLEM_CHARS = 500;

/** What a runner is made of. */
export interface HookRunnerParts {
  /** Commands find it in `CLAUDE_PROJECT_DIR`. */
  projectDir: string;
  env: NodeJS.ProcessEnv;
  /** What every hook is told about the session, as it is now. */
  base: () => {
    session_id: string;
    transcript_path: string;
    cwd: string;
    permission_mode: string;
    prompt_id?: string;
  };
  emit: (message: OutboundAgentMessage) => Promise<void>;
  /** Calls a function of the host. */
  askHost: AskHost;
  /** Tell the host about the hooks of every event. */
  includeEvents: boolean;
  /** One line for the person. */
  onProblem: (text: string) => void;
}

/** How one event is run. */
export interface HookRunOptions {
  /** Fires when the turn is interrupted: commands are ended, callbacks cancelled. */
  signal: AbortSignal;
  toolUseId?: string;
  /** What matchers are compared with, where it is not in the details. */
  matchOn?: string;
  /** The sub-agent that it happens in. */
  agent?: { agent_id: string; agent_type: string };
}

/** Runs what settings and hosts have registered for the events of a session. */
export class HookRunner {
  readonly #parts: HookRunnerParts;
  readonly #commands: CommandHooks;
  #commandRules: readonly CommandRule[] = [];
  #callbackRules: readonly CallbackRule[] = [];
  #events: ReadonlySet<string> = new Set();

  constructor(parts: HookRunnerParts) {
    this.#parts = parts;
    this.#commands = new CommandHooks({
      env: () => ({ ...parts.env, CLAUDE_PROJECT_DIR: parts.projectDir }),
      onFailure: (rule, failure) => this.#tellFailure(rule, failure),
    });
  }

  /** Add the `hooks` of a settings file. What is wrong with them is told; the rest counts. */
  addCommands(source: string, hooks: unknown): void {
    const added = commandRules(source, hooks, (problem) => this.#tell(problem));
    this.#commandRules = [...this.#commandRules, ...added];
    this.#noteEvents();
  }

  /** Call the host for these, the `hooks` of its `initialize` request, instead of those it named before. */
  setCallbacks(hooks: unknown): void {
    this.#callbackRules = callbackRules('initialize', hooks, (problem) => this.#tell(problem));
    this.#noteEvents();
  }

  /** Whether anything is registered for an event. */
  has(event: HookEvent): boolean {
    return this.#events.has(event);
  }

  /**
   * Run all hooks of an event beside each other. Never rejects: a hook that fails is told as a problem. An interrupt
   * ends them without an outcome.
   */
  async run(event: HookEvent, details: JsonObject, options: HookRunOptions): Promise<HookOutcome> {
    if (!this.has(event) || options.signal.aborted) return NO_OUTCOME;
    const { signal, agent, matchOn, toolUseId = crypto.randomUUID() } = options;
    const base = this.#parts.base();
    const input = { ...base, ...agent, hook_event_name: event, ...details };
    const subject = matchOn ?? subjectOf(event, input);
    const call: HookCall = { event, subject, input, cwd: base.cwd, signal, toolUseId };
    const rules = this.#rules().filter(
      (rule) => rule.event === event && (subject === undefined || rule.matcher.matches(subject)),
    );
    debug(() => `${event}${subject === undefined ? '' : `:${subject}`}: ${rules.length} match`);
    const outcomes = await Promise.all(once(rules).map((rule) => this.#runRule(rule, call)));
    if (signal.aborted) return NO_OUTCOME;
    const outcome = mergeOutcomes(outcomes);
    this.#tellPerson(subject === undefined ? event : `${event}:${subject}`, outcome);
    return outcome;
  }

  #tellPerson(name: string, { systemMessages }: HookOutcome): void {
    const { session_id } = this.#parts.base();
    for (const text of systemMessages) {
      void this.#parts.emit({
        type: 'system',
        subtype: 'informational',
        content: `${name} says: ${text}`,
        level: 'notice',
        session_id,
        uuid: crypto.randomUUID(),
      });
    }
  }

  /** What hooks have answered that went on in the background, each answer once. */
  takeLate(): HookOutcome[] {
    const late = this.#commands.takeLate();
    for (const outcome of late) this.#tellPerson('A hook in the background', outcome);
    return late;
  }

  /** What is registered, for `get_hooks_listing`. */
  listing(): HookListing {
    return listHooks(this.#rules());
  }

  /** End the hooks that still run, and what they have left behind. Nothing runs after this. */
  async close(): Promise<void> {
    await this.#commands.close();
  }

  async #runRule(rule: HookRule, call: HookCall): Promise<HookOutcome> {
    try {
      if (rule.kind === 'command') return await this.#commands.run(rule, call, this.#life(call));
      return await runCallback(rule, call, this.#parts.askHost, (failure) =>
        this.#tellFailure(rule, failure),
      );
    } catch (failure) {
      this.#tellFailure(rule, failure);
      return NO_OUTCOME;
    }
  }

  #life({ event, subject, input }: HookCall): HookLife {
    const { emit, includeEvents } = this.#parts;
    const name = subject === undefined ? event : `${event}:${subject}`;
    return new HookLife({ event, name, sessionId: String(input.session_id), includeEvents, emit });
  }

  #rules(): HookRule[] {
    return [...this.#commandRules, ...this.#callbackRules];
  }

  #noteEvents(): void {
    this.#events = new Set(this.#rules().map(({ event }) => event));
  }

  #tellFailure(rule: HookRule, failure: unknown): void {
    const what = rule.kind === 'command' ? `"${rule.command}"` : `callback ${rule.callbackId}`;
    this.#tell(`${rule.source}: ${rule.event} hook ${what} failed: ${messageOf(failure)}`);
  }

  #tell(problem: string): void {
    const line = problem.replace(/\s+/g, ' ').trim();
    this.#parts.onProblem(line.length > MAX_PROBLEM_CHARS ? `${line.slice(0, MAX_PROBLEM_CHARS)}…` : line);
  }
}

/** The same command in several settings files runs once; a host that repeats a callback means it. */
function once(rules: readonly HookRule[]): HookRule[] {
  const commands = new Set<string>();
  return rules.filter((rule) => {
    if (rule.kind === 'callback') return true;
    const isNew = !commands.has(rule.command);
    commands.add(rule.command);
    return isNew;
  });
}
