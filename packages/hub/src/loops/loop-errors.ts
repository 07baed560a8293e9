import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** Something is to be done with a loop that has ended. */
export class LoopEndedError extends SignalboxError {
  constructor(id: string) {
    super('LOOP_ENDED', `Loop ${id} has ended. Begin another one.`);
  }
}

/** A loop is to be removed that goes on. */
export class LoopUnderWayError extends SignalboxError {
  constructor(id: string) {
    super('LOOP_UNDER_WAY', `Loop ${id} has not ended. Stop it first.`);
  }
}

/** Somebody else has changed the loop meanwhile. */
export class LoopChangedError extends SignalboxError {
  constructor(id: string, version: number) {
    super(
      'LOOP_CHANGED',
      `Loop ${id} is at version ${version} by now: somebody else has changed it, or it went on. Look at it, and change it again.`,
    );
  }
}

/** More loops are to run at once than a hub takes. */
export class LoopLimitError extends SignalboxError {
  constructor() {
    super(
      'LOOP_LIMIT',
      `${LIMITS.loopsUnderWay.most} loops are under way, and a hub runs no more at a time. Stop one first.`,
    );
  }
}
