import type { NearbyRelay, Session } from '@signalbox/protocol/hub';
import { findRelays } from '@signalbox/transport/nearby';
import type { Device } from '../store/device.ts';
import type { LaunchService } from './launch-service.ts';
import { permit } from './permit.ts';

/** What people see of relays that others run on the hub's machine. */
export class NearbyService {
  readonly #launches: LaunchService;
  readonly #program: readonly string[];
  readonly #ownPort: number;

  /** `program` is how `signalbox` is run here, `hub` where this one listens. */
  constructor(launches: LaunchService, program: readonly string[], hub: string) {
    this.#launches = launches;
    this.#program = program;
    this.#ownPort = Number(new URL(hub).port);
  }

  /** It takes `admin`: whoever sees the ports of a machine learns what its other users run. */
  async list(by: Device): Promise<NearbyRelay[]> {
    permit(by, 'admin');
    return (await findRelays()).filter(({ port }) => port !== this.#ownPort);
  }

  /** The agent behind a relay becomes a session: a process speaks to the relay as a frontend does, and to the hub as an agent. */
  join(
    by: Device,
    { port, agent }: { port: number; agent?: string },
    attempt?: { id: string; begunAt: number | undefined },
  ): Promise<Session> {
    const url = `ws://127.0.0.1:${port}`;
    const command = [...this.#program, 'attach', '--stdio', url, ...(agent === undefined ? [] : [agent])];
    const title = agent === undefined ? `relay at 127.0.0.1:${port}` : `${agent} at 127.0.0.1:${port}`;
    const launch = { agent: 'custom', command, folder: '~' } as const;
    return this.#launches.create(
      by,
      { ...(attempt ? { id: attempt.id } : {}), title, launch },
      attempt?.begunAt,
    );
  }
}
