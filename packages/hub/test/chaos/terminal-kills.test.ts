import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { endTerminals, gone, terminalsIn } from '@signalbox/testing/hub/terminal-stage';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { HubTerminal } from 'signalbox/hub';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { readSavedScreen } from '../../src/terminal-host/saved-output.ts';
import { greetedThen } from '../launch/launch-stage.ts';
import { seeds } from './hub-health.ts';

/** How often something is killed or cut while the shell writes. */
const POINTS = 6;
/** As many as take the shell some seconds, and fewer than the terminal keeps. */
const PIECES = 3000;

const SHELL = builtProgram('packages/hub/test/chaos/writing-shell.ts');

/** One who looks, and keeps every byte with its place. */
class KeepingViewer {
  /** What came after each screen, and where that began. */
  readonly parts: { offset: number; chunks: Uint8Array[] }[] = [];
  readonly terminal: HubTerminal;
  hasLeft = false;

  constructor(url: string, token: string) {
    this.terminal = new HubTerminal({
      url,
      token,
      session: 'work',
      number: 1,
      queries: 'keep',
      onScreen: () => {
        this.parts.push({ offset: this.position, chunks: [] });
      },
      onOutput: (bytes) => {
        this.parts.at(-1)?.chunks.push(bytes.slice());
      },
      onExit: () => {
        this.hasLeft = true;
      },
    });
    onTestFinished(() => this.terminal.close());
  }

  get position(): number {
    return this.terminal.position?.offset ?? 0;
  }

  /** Whether all of it is what the shell said there. */
  isPartOf(said: Buffer): boolean {
    return this.parts.every(({ offset, chunks }) => {
      const bytes = Buffer.concat(chunks);
      return bytes.equals(said.subarray(offset, offset + bytes.length));
    });
  }
}

/** A hub in a process of its own, and a terminal whose shell waits until it is told to write. */
async function stage(seed: number) {
  const [home, folder, port] = [temporaryFolder(), temporaryFolder(), await freePort()];
  onTestFinished(() => endTerminals(home));
  const wait = `until [ -e ${folder}/go ]; do sleep 0.05; done`;
  const shell = join(home, 'shell');
  const run = `exec ${process.execPath} ${SHELL} ${folder} ${seed} ${PIECES}`;
  writeFileSync(shell, `#!/bin/sh\nstty raw -echo\n${wait}\n${run}\n`, { mode: 0o755 });
  const start = (): Promise<HubProcess> => HubProcess.start(home, port, { SHELL: shell });
  const hub = await start();
  // A folder for a terminal is all that is needed: its agent leaves.
  const launch = { ...greetedThen(''), folder };
  expect((await call(hub.url, hub.token, 'POST', '/api/sessions', { id: 'work', launch })).status).toBe(201);
  expect((await call(hub.url, hub.token, 'POST', '/api/sessions/work/stop', {})).status).toBe(200);
  const made = await call(hub.url, hub.token, 'POST', '/api/sessions/work/terminals', {});
  expect(made.status).toBe(201);
  const viewers = [new KeepingViewer(hub.url, hub.token), new KeepingViewer(hub.url, hub.token)];
  await until(() => viewers.every(({ terminal }) => terminal.state === 'open'));
  writeFileSync(join(folder, 'go'), '');
  return { home, folder, hub, start, viewers };
}

describe('kills with a terminal open', () => {
  it.each(seeds())(
    '[FT1805] of the hub, and cuts of those who look: each has what the shell wrote, byte for byte (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const { folder, hub: first, start, viewers } = await stage(seed);
      let hub = first;
      for (let point = 0; point < POINTS; point += 1) {
        const [viewer] = viewers;
        const goal = (viewer?.position ?? 0) + random.below(200_000);
        await until(() => (viewer?.position ?? 0) > goal || existsSync(join(folder, 'all')));
        if (random.chance(60)) {
          await hub.kill();
          hub = await start();
        } else random.pick(viewers).terminal.wake();
      }
      await until(() => existsSync(join(folder, 'all')));
      const said = readFileSync(join(folder, 'said'));
      await until(() => viewers.every(({ position }) => position >= said.length));
      for (const viewer of viewers) {
        expect(viewer.parts.map(({ offset }) => offset)).toEqual([0]);
        expect(viewer.position).toBe(said.length);
        expect(viewer.isPartOf(said)).toBe(true);
      }
      writeFileSync(join(folder, 'leave'), '');
      await until(() => viewers.every(({ hasLeft }) => hasLeft));
    },
  );

  it.each(seeds())(
    '[FT1806] of its own process: what was shown is a beginning of what the shell wrote, all of it is kept, and nothing runs on (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const { home, folder, viewers } = await stage(seed);
      const goal = random.below(400_000);
      await until(() => viewers.every(({ position }) => position > goal));
      const seen = viewers.map(({ position }) => position);
      const [{ host, shell } = { host: 0, shell: 0 }] = terminalsIn(home);
      process.kill(host, 'SIGKILL');
      await Promise.all([host, shell].map(gone));
      await until(() => viewers.every(({ hasLeft }) => hasLeft));
      const said = readFileSync(join(folder, 'said'));
      const saved = readSavedScreen(join(home, 'terminals', 'work', '1'));
      if (!saved) throw new Error('nothing was kept');
      const kept = said.subarray(saved.screen.offset, saved.screen.offset + saved.bytes.length);
      expect(saved.bytes.equals(kept)).toBe(true);
      const end = saved.screen.offset + saved.bytes.length;
      expect(end).toBeGreaterThanOrEqual(Math.max(...seen));
      for (const viewer of viewers) {
        expect(viewer.position).toBe(end);
        expect(viewer.isPartOf(said)).toBe(true);
      }
    },
  );
});
