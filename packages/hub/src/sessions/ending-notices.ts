import { randomUUID } from 'node:crypto';
import { exitWords, type JsonObject, textAt, turnOutcome, type WireLine } from '@signalbox/protocol';
import type { NoticeEnd, Session } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import { noticeOf, titleOf } from '../notices/notice-words.ts';
import type { MakeChange } from './recorder.ts';
import type { SessionNotices } from './session-callbacks.ts';
import { factsIn } from './session-news.ts';
import { messageIn } from './session-problem.ts';

/** Tells people that a turn, or the agent itself, has ended or is about to: in the commit of the line that says so. */
export class EndingNotices {
  readonly #notices: SessionNotices | undefined;
  readonly #now: () => { session: Session; isWatched: boolean };
  #isExpected = false;

  constructor(notices: SessionNotices | undefined, now: () => { session: Session; isWatched: boolean }) {
    this.#notices = notices;
    this.#now = now;
  }

  /** Another agent has begun. */
  begin(): void {
    this.#isExpected = false;
  }

  /** Somebody ends the agent: they need not be told. */
  expect(): void {
    this.#isExpected = true;
  }

  /** What a line of the agent or its bridge leads to. */
  noticeOf(line: WireLine, position: LinkPosition | undefined): MakeChange | undefined {
    const { type, subtype } = line.head();
    if (type === 'result') return this.#turnEnded(line, position);
    const isEnd = type === 'bridge' && (subtype === 'exited' || subtype === 'failed');
    return isEnd ? this.#agentEnded(line, position) : undefined;
  }

  /** The agent was not started. */
  failedStart(message: string): MakeChange | undefined {
    return this.#telling('failed', `start:${randomUUID()}`, 'could not be started', message);
  }

  /** A budget is near or used up. */
  budget(note: JsonObject): MakeChange | undefined {
    const what = note.state === 'near' ? 'nears a budget' : 'has used up a budget';
    return this.#telling('budget', `budget:${randomUUID()}`, what, textAt(note, 'message'));
  }

  #turnEnded(line: WireLine, position: LinkPosition | undefined): MakeChange | undefined {
    const { session } = this.#now();
    if (!this.#notices?.wants('finished', session.id) && !this.#notices?.wants('failed', session.id))
      return undefined;
    const result = messageIn(line);
    const outcome = turnOutcome(result);
    const cause = causeOf(line, position);
    switch (outcome.how) {
      case 'interrupted':
        // Whoever did that is there.
        return undefined;
      case 'failed':
        return this.#telling('failed', cause, 'has failed', outcome.problem);
      case 'well':
        return this.#telling('finished', cause, 'has finished', textAt(result, 'result'));
    }
  }

  #agentEnded(line: WireLine, position: LinkPosition | undefined): MakeChange | undefined {
    const exit = factsIn(line).facts?.exit;
    if (!exit || exit.code === 0 || this.#isExpected) return undefined;
    const said = [exitWords(exit), exit.stderr.trim().split('\n').at(-1)].filter(Boolean).join('. ');
    return this.#telling('failed', causeOf(line, position), 'has failed', said);
  }

  #telling(
    kind: 'finished' | 'failed' | 'budget',
    cause: string,
    what: NoticeEnd,
    words: string,
  ): MakeChange | undefined {
    const notices = this.#notices;
    if (!notices?.wants(kind, this.#now().session.id)) return undefined;
    return () => {
      const { session, isWatched } = this.#now();
      return notices.noting(noticeOf(kind, session, cause, titleOf(session, what), words), isWatched);
    };
  }
}

/** A line that comes again over its link has the same place there: nobody is told twice. */
function causeOf(line: WireLine, position: LinkPosition | undefined): string {
  if (position) return `line:${position.epoch}:${position.count}`;
  return `line:${textAt(messageIn(line), 'uuid') || randomUUID()}`;
}
