import { SignalboxError } from '@signalbox/protocol';

/** An address cannot be one of a target. */
export class NoticeUrlError extends SignalboxError {
  constructor(why: string) {
    super('NOTICE_URL_INVALID', `Notices cannot go there: ${why}.`);
  }
}

/** A notice was to be sent to the inside of the network, and nobody has allowed that. */
export class NoticeAddressError extends SignalboxError {
  constructor() {
    super(
      'NOTICE_ADDRESS_REFUSED',
      'The address is inside of the network (loopback, private or link-local). Add the target again with allowsPrivate if it is meant.',
    );
  }
}

/** The server of a target did not answer in time. */
export class NoticeTimeoutError extends SignalboxError {
  constructor(seconds: number) {
    super('NOTICE_TIMEOUT', `No answer within ${seconds} s`);
  }
}

/** A target that is gone was to be used. */
export class NoticeTargetRetiredError extends SignalboxError {
  constructor(why: string) {
    super('NOTICE_TARGET_RETIRED', `The target is retired: ${why}. Remove it, and add it again.`);
  }
}
