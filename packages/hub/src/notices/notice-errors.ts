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

/** A right to answer is none: forged, cut off, or that of a target or a device that is no more. */
export class CapabilityInvalidError extends SignalboxError {
  constructor() {
    super(
      'CAPABILITY_INVALID',
      'This notice gives no right to answer (any more): it is cut off, or its target was removed or signed out. Answer in the console.',
    );
  }
}

/** A right to answer is too old. */
export class CapabilityExpiredError extends SignalboxError {
  constructor() {
    super(
      'CAPABILITY_EXPIRED',
      'This notice is too old to answer by. The question still waits: answer in the console.',
    );
  }
}

/** What a right would answer is not open any more. */
export class CapabilityUsedError extends SignalboxError {
  constructor(how: string) {
    super('CAPABILITY_USED', `There is nothing left to answer: it ${how}.`);
  }
}

/** A right was given for another input than is asked about now. */
export class CapabilityChangedError extends SignalboxError {
  constructor() {
    super(
      'CAPABILITY_CHANGED',
      'What is asked is not what this notice was about any more. Nothing was answered: look at it in the console.',
    );
  }
}
