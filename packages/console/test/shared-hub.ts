import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, until } from '@signalbox/testing/hub/test-parts';
import { endProcess } from '@signalbox/testing/is-running';
import { findBridges } from '../../hub/src/bridge/find-bridges.ts';

/** Where a hub has its data. */
const DATA = '.signalbox';

/** A hub for several tests, in a home of its own. */
export class SharedHub {
  readonly home: string;
  readonly port: number;
  readonly hub: HubProcess;

  private constructor(home: string, port: number, hub: HubProcess) {
    this.home = home;
    this.port = port;
    this.hub = hub;
  }

  static async start(): Promise<SharedHub> {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
    const data = join(home, DATA);
    mkdirSync(data);
    const port = await freePort();
    return new SharedHub(home, port, await HubProcess.start(data, port, { HOME: home }, () => {}));
  }

  /** Signs one browser in, once, as whoever runs the hub. */
  async newLink(): Promise<string> {
    const grant = { name: 'browser', scope: 'admin' };
    const { body } = await call(this.hub.url, this.hub.token, 'POST', '/api/sign-in-links', grant);
    return body.url;
  }

  /** What a test leaves behind. */
  async clear(): Promise<void> {
    await endBridges(this.hub.home);
    const { url, token } = this.hub;
    for (const { id } of (await call(url, token, 'GET', '/api/sessions')).body.items)
      await call(url, token, 'DELETE', `/api/sessions/${id}`);
    for (const name of readdirSync(this.home).filter((one) => one !== DATA)) remove(join(this.home, name));
  }

  async end(): Promise<void> {
    await this.hub.kill();
    await endBridges(this.hub.home);
    remove(this.home);
  }
}

/** Agents outlive their hub, and must not outlive their test. */
export async function endBridges(home: string): Promise<void> {
  for (const { pid, state } of await findBridges(home)) if (state === 'running') endProcess(pid);
  await until(async () => (await findBridges(home)).every(({ state }) => state !== 'running'));
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
