import { SignalboxError } from '@signalbox/protocol';

/** There is no such permission request in the session. */
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
      'This token may allow or deny what is asked; to change the input or the rules takes the scope drive.',
    );
  }
}
