import { connect, createServer, type Socket } from 'node:net';
import { until } from '@signalbox/testing/hub/test-parts';
import { listenOnLoopback } from '@signalbox/testing/loopback';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { sharedBrowser } from './console-stage.ts';
import { AGENT, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

/** Less than the page takes to find out by itself that nothing comes any more. */
const AT_ONCE_MS = 15_000;

describe.runIf(hasProgram('chromium-headless-shell'))('a network that goes away', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO812][CO2414] is told as soon as the browser says so, also below a card on a small screen, and mended once it is back', async () => {
    const network = new Network();
    const { page } = await showRecord(browser, {
      lines: [[AGENT, said(text('Hello'), 'm1')]],
      asks: [{ subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'make' }, tool_use_id: 't1' }],
      through: (url) => network.lead(url),
      viewport: { width: 375, height: 340 },
    });
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost' });
    network.freeze();
    await page.evaluate(`dispatchEvent(new Event('offline'))`);
    await lost.waitFor({ timeout: AT_ONCE_MS });
    // An attempt is under way that nobody answers: the next one does not wait for it.
    await until(() => network.unanswered > 0);
    network.mend();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await lost.waitFor({ state: 'hidden', timeout: AT_ONCE_MS });
    // The machine slept with the page in front: nothing is told, but the clock has jumped.
    network.freeze();
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 3_600_000; }');
    await lost.waitFor({ timeout: AT_ONCE_MS });
    network.mend();
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await lost.waitFor({ state: 'hidden', timeout: AT_ONCE_MS });
  });
});

/** A way to a hub that can stop to carry anything, without a word to either end. */
class Network {
  /** Connections that were made while it carried nothing. */
  unanswered = 0;
  readonly #ends = new Set<Socket>();
  #isFrozen = false;

  async lead(url: URL): Promise<URL> {
    const server = createServer((near) => {
      this.#keep(near);
      if (this.#isFrozen) {
        this.unanswered += 1;
        return;
      }
      const far = connect(Number(url.port), url.hostname);
      this.#keep(far);
      near.pipe(far).pipe(near);
    });
    const port = await listenOnLoopback(server);
    onTestFinished(() => {
      for (const end of this.#ends) end.destroy();
      server.close();
    });
    return Object.assign(new URL(url), { port: `${port}` });
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const end of this.#ends) end.unpipe().pause();
  }

  /** New connections work; the old ones stay as they are. */
  mend(): void {
    this.#isFrozen = false;
  }

  #keep(end: Socket): void {
    this.#ends.add(end);
    end.on('error', () => {});
  }
}
