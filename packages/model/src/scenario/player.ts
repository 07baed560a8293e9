import type { Conversation } from '../api/conversation.ts';
import type { MessagesRequest } from '../api/request.ts';
import { ScenarioNoMatchError } from '../errors.ts';
import { answerBackground } from './background.ts';
import { matchWhen } from './match.ts';
import { explainNoMatch, type TurnStanding } from './no-match.ts';
import type { Values } from './placeholders.ts';
import type { Fault, Reply, Scenario, Step, Turn } from './schema.ts';

/** What the script answers to a request. */
export interface Part {
  /** The turn's name, or its place: `turns[2]`. */
  readonly label: string;
  readonly background: boolean;
  readonly reply: Reply;
  /** The reply's steps, without the faults whose time is over. */
  readonly say: readonly Step[];
  /** The faults among those steps. */
  readonly faults: readonly Fault[];
  /** What placeholders stand for; undefined where the text is to be taken as it is. */
  readonly values: Values | undefined;
}

const FAILING: ReadonlySet<Fault['kind']> = new Set(['status', 'cut', 'malformed', 'error']);

function faultOf(step: Step): Fault | undefined {
  return typeof step === 'object' && 'fault' in step ? step.fault : undefined;
}

/** Plays one scenario: remembers which turns are spent and which faults are over. */
export class ScenarioPlayer {
  readonly scenario: Scenario;
  readonly #uses = new Map<Reply, number>();
  readonly #attempts = new Map<Reply, number>();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
  }

  /** Chooses the answer, or throws `SCENARIO_NO_MATCH`; `inject` is asked for a fault only when a turn plays. */
  choose(request: MessagesRequest, conversation: Conversation, inject: () => Fault | undefined): Part {
    const part = this.#background(request, conversation) ?? this.#foreground(conversation, inject);
    if (part) return part;
    throw new ScenarioNoMatchError(explainNoMatch(this.scenario.name, this.#standings(), conversation));
  }

  #background(request: MessagesRequest, conversation: Conversation): Part | undefined {
    for (const [i, rule] of this.scenario.background.entries()) {
      const match = matchWhen(rule.when, conversation);
      if (!match.matched) continue;
      const part = this.#part(rule.name ?? `background[${i}]`, rule, conversation, match.captures);
      return { ...part, background: true };
    }
    const answer = this.scenario.builtin_background ? answerBackground(request, conversation) : undefined;
    if (!answer) return undefined;
    const say = [answer.text];
    return { label: answer.name, background: true, reply: { say }, say, faults: [], values: undefined };
  }

  #foreground(conversation: Conversation, inject: () => Fault | undefined): Part | undefined {
    for (const { turn, label, standing } of this.#standings()) {
      const match = matchWhen(turn.when, conversation);
      if (standing !== 'next' || !match.matched) continue;
      return this.#part(label, turn, conversation, match.captures, inject());
    }
    const { fallback } = this.scenario;
    return fallback && this.#part('fallback', fallback, conversation, {}, inject());
  }

  #standings(): TurnStanding[] {
    const strict = this.scenario.order === 'strict';
    const isSpent = (turn: Turn) =>
      this.#used(turn) >= (turn.times ?? (strict ? 1 : Number.POSITIVE_INFINITY));
    const next = this.scenario.turns.find((turn) => !isSpent(turn));
    return this.scenario.turns.map((turn, i) => ({
      turn,
      label: turn.name ?? `turns[${i}]`,
      standing: isSpent(turn) ? 'spent' : strict && turn !== next ? 'later' : 'next',
    }));
  }

  #part(label: string, reply: Reply, conversation: Conversation, captures: Values, injected?: Fault): Part {
    const attempt = this.#attempts.get(reply) ?? 0;
    this.#attempts.set(reply, attempt + 1);
    const due = reply.say.filter((step) => attempt < (faultOf(step)?.first ?? Number.POSITIVE_INFINITY));
    const say = injected ? [{ fault: injected }, ...due] : due;
    const faults = say.flatMap((step) => faultOf(step) ?? []);
    // A client tries again after a failed answer: the turn must still be there for it.
    if (!faults.some((fault) => FAILING.has(fault.kind))) this.#uses.set(reply, this.#used(reply) + 1);
    const values = {
      lastUserText: conversation.lastUserText,
      lastToolResult: conversation.toolResults.map((result) => result.text).join('\n'),
      model: conversation.model,
      turn: String(conversation.replies),
      cwd: conversation.cwd,
      ...captures,
    };
    return {
      label,
      background: false,
      reply,
      say,
      faults,
      values: this.scenario.templates ? values : undefined,
    };
  }

  #used(reply: Reply): number {
    return this.#uses.get(reply) ?? 0;
  }
}
