import type { SessionViewer } from '@signalbox/protocol/hub';

/** Who watches a session, each device once, however many connections it has. */
export class Audience {
  readonly #devices = new Map<string, { viewer: SessionViewer; connections: number }>();

  get viewers(): SessionViewer[] {
    return Array.from(this.#devices.values(), ({ viewer }) => viewer);
  }

  /** True for the first connection of a device. */
  add(viewer: SessionViewer): boolean {
    const known = this.#devices.get(viewer.deviceId);
    if (known) known.connections += 1;
    else this.#devices.set(viewer.deviceId, { viewer, connections: 1 });
    return !known;
  }

  /** True for the last connection of a device. */
  remove({ deviceId }: SessionViewer): boolean {
    const known = this.#devices.get(deviceId);
    if (!known) return false;
    known.connections -= 1;
    return known.connections === 0 && this.#devices.delete(deviceId);
  }
}
