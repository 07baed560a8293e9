import { SignalboxError } from '@signalbox/protocol';
import type { Scope } from '@signalbox/protocol/hub';

/** No token came along, or one that is not good. */
export class UnauthenticatedError extends SignalboxError {
  constructor() {
    super(
      'UNAUTHENTICATED',
      'A valid token is needed: Authorization: Bearer …, or sign in with a link of the hub.',
    );
  }
}

/** The token is good, but not for this. */
export class ForbiddenError extends SignalboxError {
  constructor(needed: Scope) {
    super(
      'FORBIDDEN',
      `This token is not good for that: it takes the scope ${needed} for the session in question.`,
    );
  }
}

/** The request was made for another name than the hub's, or by a page of another site. */
export class StrangeOriginError extends SignalboxError {
  constructor(what: 'Host' | 'Origin') {
    super(
      'ORIGIN_REFUSED',
      `The ${what} of the request is not this hub. Use the address that it was started with, or allow the name.`,
    );
  }
}

/** A sign-in link is wrong, used or too old. */
export class SignInLinkError extends SignalboxError {
  constructor() {
    super('SIGN_IN_LINK_INVALID', 'This sign-in link is wrong, used or too old. Ask for a new one.');
  }
}

/** A link was wrong, and so were too many before it. */
export class SignInLimitError extends SignalboxError {
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super(
      'SIGN_IN_LIMIT',
      `This link is wrong, used or too old, like too many before it. Try again in ${retryAfterS} s, or use a good one.`,
    );
    this.retryAfterS = retryAfterS;
  }
}
