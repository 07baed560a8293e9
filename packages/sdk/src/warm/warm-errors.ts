import { SignalboxError } from '@signalbox/protocol';
import type { Claim } from '../types/warm.ts';

/** A spare agent did not become the session that it was claimed for, or not all of it. */
export class ClaimError extends SignalboxError {
  /** The session, where it goes on all the same. */
  readonly claim: Claim | undefined;

  constructor(message: string, claim?: Claim, cause?: unknown) {
    super('SPARE_NOT_CLAIMED', message, { cause });
    this.claim = claim;
  }
}

/** An agent that was started ahead did not get ready, or was asked for twice. */
export class WarmAgentError extends SignalboxError {
  constructor(message: string) {
    super('WARM_AGENT', message);
  }
}
