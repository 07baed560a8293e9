import { LIMITS, type Limit, SignalboxError } from '@signalbox/protocol';

/** What a device holds: each costs the hub memory until it is given back. */
const QUOTAS = {
  viewers: LIMITS.deviceViewers,
  agents: LIMITS.deviceAgents,
  requests: LIMITS.deviceRequests,
  downloads: LIMITS.deviceDownloads,
} satisfies Record<string, Limit>;

export type Quota = keyof typeof QUOTAS;

/** An answer that is longer counts as a download until the device has read it. */
export const LONG_ANSWER_BYTES = 1024 * 1024;

/** A device holds as much at once as one device may; others are not concerned. */
export class DeviceLimitError extends SignalboxError {
  constructor({ most, what }: Limit) {
    super('DEVICE_LIMIT', `This token has reached its limit of ${most} ${what}. Close, read or await some.`);
  }
}

/** Counts what each device holds at once, so that one of them cannot use up what all share. */
export class DeviceQuotas {
  readonly #held: Record<Quota, Map<string, number>> = {
    viewers: new Map(),
    agents: new Map(),
    requests: new Map(),
    downloads: new Map(),
  };

  /** Raises `DEVICE_LIMIT`. What it returns gives back what was taken; called again, it does nothing. */
  take(device: string, quota: Quota): () => void {
    const held = this.#held[quota];
    const count = held.get(device) ?? 0;
    if (count >= QUOTAS[quota].most) throw new DeviceLimitError(QUOTAS[quota]);
    held.set(device, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (held.get(device) ?? 1) - 1;
      if (left === 0) held.delete(device);
      else held.set(device, left);
    };
  }
}
