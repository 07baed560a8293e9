import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** There is no such request in the session. */
export class AskNotFoundError extends SignalboxError {
  constructor(requestId: string) {
    super(
      'ASK_NOT_FOUND',
      `There is no permission request ${requestId} in this session. List those that are open.`,
    );
  }
}

/** Somebody may approve what an agent asks, but not change it. */
export class AskChangeError extends SignalboxError {
  constructor() {
    super(
      'ASK_CHANGE_FORBIDDEN',
      'This token may allow or deny what is asked; to change the input, the rules or the mode takes the scope drive.',
    );
  }
}

/** An answer does not fit what was asked. */
export class AskAnswerError extends SignalboxError {
  constructor(problem: string) {
    super(
      'ASK_ANSWER_INVALID',
      `The answer does not fit the request: ${problem}. It is still open; answer again.`,
    );
  }
}

/** An agent asks more at once than people are shown. */
export class AskLimitError extends SignalboxError {
  constructor() {
    super(
      'ASK_LIMIT',
      `As much waits for people as may wait (${LIMITS.openAsks.most} requests or ${LIMITS.sessionAskBytes.most} bytes of a session, ${LIMITS.allAskBytes.most} bytes of all). Answer some; this one was refused.`,
    );
  }
}

/** A question is longer than people can be shown. */
export class AskTooLongError extends SignalboxError {
  constructor() {
    super(
      'ASK_TOO_LONG',
      `A request, or an answer to one, may have ${LIMITS.askBytes.most} bytes. It was refused: ask with a shorter input.`,
    );
  }
}
