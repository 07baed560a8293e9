import { SignalboxError } from '@signalbox/protocol';

/** A sandbox was asked for and cannot be made; nothing runs without it. */
export class SandboxUnavailableError extends SignalboxError {
  constructor(why: string, advice: string, cause?: unknown) {
    super('SANDBOX_UNAVAILABLE', `Commands cannot be confined: ${why}. ${advice}`, { cause });
  }
}

/** A sandboxed command asked for an address that it may not reach; it is told so. */
export class DestinationRefusedError extends SignalboxError {
  constructor(host: string, why: string) {
    super('SANDBOX_DESTINATION_REFUSED', `The sandbox does not let commands reach ${host}: ${why}.`);
  }
}
