import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { type Answer, browserOf, call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';

const DISK_BYTES = 24 * 1024 * 1024;

/** `signalbox up` on a disk of its own, which can be filled to the last byte. */
export class SmallDisk {
  readonly url: string;
  readonly token: string;
  readonly #orders: string;

  private constructor(url: string, token: string, orders: string) {
    this.url = url;
    this.token = token;
    this.#orders = orders;
  }

  static async start(): Promise<SmallDisk> {
    const folder = temporaryFolder();
    const [disk, orders] = [join(folder, 'disk'), join(folder, 'orders')];
    for (const made of [disk, orders]) mkdirSync(made);
    // What the disk holds is seen by this process and its children only: one of them fills it.
    const script = `
      (while :; do
        if [ -e ${orders}/fill ]; then cat /dev/zero > ${disk}/ballast 2>/dev/null; rm ${orders}/fill; fi
        if [ -e ${orders}/free ]; then rm -f ${disk}/ballast ${orders}/free; fi
        sleep 0.05
      done) &
      exec "$@"`;
    const place = ['--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc'];
    const small = ['--size', String(DISK_BYTES), '--tmpfs', disk];
    const words = ['--die-with-parent', ...place, ...small, 'sh', '-c', script, 'sh', ...UP];
    const { output } = runUp(['bwrap', ...words], disk);
    const url = await until(() => /is up at (\S+)/.exec(output())?.[1]);
    const link = await until(() => /sign-in#(\S+)/.exec(output())?.[1]);
    const { cookie, bearer } = browserOf(await call(url, '', 'POST', '/api/sign-in', { link }));
    return new SmallDisk(url, `${cookie.split('=')[1]}${bearer}`, orders);
  }

  call(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    return call(this.url, token, method, path, body);
  }

  /** Until nothing more fits. */
  async fill(): Promise<void> {
    await this.#order('fill');
    await until(async () => (await fetch(`${this.url}/readyz`)).status === 503);
  }

  async free(): Promise<void> {
    await this.#order('free');
    await until(async () => (await fetch(`${this.url}/readyz`)).status === 200);
  }

  async #order(name: string): Promise<void> {
    const file = join(this.#orders, name);
    writeFileSync(file, '');
    await until(() => !existsSync(file));
  }
}
