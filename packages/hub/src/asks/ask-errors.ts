import { SignalboxError } from '@signalbox/protocol';

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
  constructor(limit: number) {
    super(
      'ASK_LIMIT',
      `${limit} requests of this session wait for people already. Answer some; this one was refused.`,
    );
  }
}
