import {
  type JsonObject,
  JsonTooDeepError,
  type SignalboxError,
  sameJson,
  type WireLine,
} from '@signalbox/protocol';
import type { LinkPosition } from '@signalbox/transport';
import { askIn, failedAnswer, problemOf, refusalLine } from './asks/ask-line.ts';
import type { Asks } from './asks/asks.ts';
import type { RuleAnswer } from './asks/rule-answer.ts';
import type { EndingNotices } from './ending-notices.ts';
import type { Previews } from './previews.ts';
import type { MakeChange } from './recorder.ts';
import type { SessionAgent } from './session-agent.ts';
import { factsIn, isBridgeStart } from './session-news.ts';
import { problemAfter } from './session-problem.ts';
import type { SessionSummary } from './session-summary.ts';

/** What an {@link AgentListener} works with. */
export interface AgentListenerParts {
  agent: SessionAgent;
  asks: Asks;
  previews: Previews;
  summary: SessionSummary;
  endings: EndingNotices;
  /** The record says it, in the name of the hub. */
  note: (note: JsonObject) => void;
  /** Work that nobody waits for: the session stays in use until it is done. */
  watch: (work: Promise<unknown>) => void;
}

/** What follows from a line of the agent. */
export interface Consequence {
  /** What has to be stored in one commit with the line: a hub that is killed here has both, or neither. */
  change: MakeChange;
  /** What a rule answers to it, in the same commit. */
  answer?: RuleAnswer | undefined;
}

/** Understands what the agent of a session says. */
export class AgentListener {
  readonly #parts: AgentListenerParts;

  constructor(parts: AgentListenerParts) {
    this.#parts = parts;
  }

  /** What a line leads to. */
  consequenceOf(line: WireLine, position?: LinkPosition): Consequence | undefined {
    const { agent, asks, note, endings } = this.#parts;
    const ask = askIn(line);
    const rotation = agent.identity.follow(line);
    if (rotation) note({ subtype: 'rotated', ...rotation });
    asks.hear(line);
    if (ask?.kind === 'ask') {
      const answer = asks.decided(ask);
      return { change: () => asks.asking(ask, answer), answer };
    }
    if (isBridgeStart(line)) {
      endings.begin();
      return { change: () => asks.expiring() };
    }
    const told = endings.noticeOf(line, position);
    return told && { change: told };
  }

  /** A line that is durable. */
  hear(line: WireLine): void {
    const { agent, asks, previews, summary, watch } = this.#parts;
    previews.settle(line);
    const problem = problemOf(line);
    if (problem) return this.#unread(line, problem);
    agent.identity.hear(line);
    if (line.head().type?.startsWith('control_')) {
      const ask = askIn(line);
      if (ask?.kind === 'withdrawal') watch(asks.close(ask.requestId, 'withdrawn'));
      if (ask?.kind !== 'ask') agent.feed(line);
      return;
    }
    const leftOut = this.learnFrom(line);
    if (leftOut) this.noteUnread(leftOut);
    const before = summary.session.problem;
    const hindrance = problemAfter(line, before);
    if (!sameJson(hindrance, before)) summary.learn({ problem: hindrance });
  }

  /** What it tells of the session; gives why something of that is left out. */
  learnFrom(line: WireLine, at?: number): SignalboxError | undefined {
    const { summary } = this.#parts;
    const { facts, problem } = factsIn(line);
    // A name that somebody gave it says more than a command line.
    if (facts) summary.learn({ ...facts, agent: summary.session.agent ?? facts.agent ?? null }, at);
    return problem;
  }

  noteUnread({ code, message }: SignalboxError): void {
    this.#parts.note({
      subtype: 'unread',
      code,
      message: `Something that the agent said was not read: ${message}`,
    });
  }

  /** A question that people cannot be shown. */
  refuse(requestId: string, { code, message }: SignalboxError): void {
    const { agent, watch } = this.#parts;
    watch(agent.deliver(refusalLine(requestId, message, code)));
  }

  /** The record keeps it as it is, with a note that says why nothing came of it; whoever asked by it is told. */
  #unread(line: WireLine, problem: SignalboxError): void {
    const { type, requestId } = line.head();
    this.noteUnread(problem);
    // Of one that is too deep the rest can be read; whoever waits for another one is told at once that it is not.
    if (type === 'control_response')
      this.#parts.agent.feed(problem instanceof JsonTooDeepError ? line : failedAnswer(line, problem));
    if (type === 'control_request' && requestId !== undefined) this.refuse(requestId, problem);
  }
}
