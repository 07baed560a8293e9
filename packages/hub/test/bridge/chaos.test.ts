import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@signalbox/testing/free-port';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { journalOf } from './journal-files.ts';
import { type RunningBridge, runBridge, scripted, temporaryFolder } from './run-bridge.ts';

const KILLS = 14;
const { SIGNALBOX_SEED, SIGNALBOX_CHAOS_ROUNDS } = process.env;
const FIRST_SEED = Number(SIGNALBOX_SEED ?? 1);
const SEEDS = Array.from({ length: Number(SIGNALBOX_CHAOS_ROUNDS ?? 2) }, (_, at) => FIRST_SEED + at);
const LINES = 4000;

/** Says which run it is of, and counts. */
const COUNTING = (run: number) =>
  scripted(`
    let n = 0;
    const timer = setInterval(() => {
      for (let k = 0; k < 20; k += 1) say({ run: ${run}, n: ++n, text: 'x'.repeat((n * 7919) % 300) });
      if (n >= ${LINES}) clearInterval(timer);
    }, 5);
  `);

describe('kills of hub, link and bridge while an agent streams', () => {
  it.each(SEEDS)(
    '[BR22] at seeded moments: no line twice, none missing, none out of order (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const home = temporaryFolder();
      const record = join(home, 'record.ndjson');
      const startHub = await hubStarter(record);
      let hub = await startHub();
      let run = 1;
      const writtenDown = new Set<string>();
      const start = (): RunningBridge =>
        runBridge({ hub: `ws://127.0.0.1:${hub.port}`, home, command: COUNTING(run) });
      let bridge = start();
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(50 + random.fraction() * 350);
        const choice = random.fraction();
        if (choice < 0.3) {
          hub.child.kill('SIGUSR2');
        } else if (choice < 0.65) {
          hub.child.kill('SIGKILL');
          await pause(random.fraction() * 300);
          hub = await startHub();
        } else {
          bridge.child.kill('SIGKILL');
          await bridge.exited;
          for (const line of wholeLines(journalOf(home))) writtenDown.add(line);
          run += 1;
          bridge = start();
        }
      }
      expect(await bridge.exited).toEqual({ code: 0, signal: null });
      const said = recordIn(record);
      expect(said.filter(({ gap }) => gap)).toEqual([]);
      const delivered = new Set(said.map(({ line }) => line));
      expect([...writtenDown].filter((line) => !delivered.has(line))).toEqual([]);
      const lines = said.map(({ line }) => JSON.parse(line ?? '{}')).filter(({ type }) => type !== 'bridge');
      const expected = Array.from({ length: run }, (_, at) => at + 1).flatMap((number) =>
        lines.filter((line) => line.run === number).map((_, n) => ({ run: number, n: n + 1 })),
      );
      expect(lines.map((line) => ({ run: line.run, n: line.n }))).toEqual(expected);
      expect(lines.filter((line) => line.run === run)).toHaveLength(LINES);
      expect(existsSync(join(home, 'bridges', 's'))).toBe(false);
    },
  );
});

/** Starts a hub that can be killed, always at the same port. */
async function hubStarter(record: string): Promise<() => Promise<{ child: ChildProcess; port: number }>> {
  const script = builtProgram('packages/hub/test/bridge/hub-process.ts');
  const port = await freePort();
  return async () => {
    const child = spawn(process.execPath, [script, record, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    if (child.stdout) await once(child.stdout, 'data');
    return { child, port };
  };
}

function wholeLines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

function recordIn(file: string): { line?: string; gap?: unknown }[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
