import { readFileSync } from 'node:fs';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';
import { TestFrontend } from '../relay/test-frontend.ts';
import { median } from './hub-health.ts';
import { lineOf, type Monster, monsterFrom, valueOf } from './monster.ts';

const { SIGNALBOX_SEED, SIGNALBOX_MONSTERS } = process.env;
const SEED = Number(SIGNALBOX_SEED ?? 7);
const MONSTERS = Number(SIGNALBOX_MONSTERS ?? 10);

/** What a hub may need, whatever it was sent. */
const MEMORY_BYTES = 512 * 1024 * 1024;

const ASKED = 9;

describe('what is too deep or too large, at every door', () => {
  it(`[FT300] stops nobody: the hub goes on, ends when it is told to, and starts again (seed ${SEED})`, {
    timeout: 120_000 + MONSTERS * 30_000,
  }, async () => {
    const random = new SeededRandom(SEED);
    const home = temporaryFolder();
    let hub = await HubProcess.start(home);
    const usualMs = await restartMs();
    const agent = await TestAgent.dial(`${hub.url}/ws/monster`, hub.token);
    await TestAgent.dial(`${hub.url}/ws/other`, hub.token);
    await agent.ask('kept');
    await until(async () => (await get('/api/permissions')).items.length === 1);
    const [medians, memories]: [number[], number[]] = [[], []];
    for (let at = 0; at < MONSTERS; at += 1) {
      const monster = monsterFrom(random, at);
      await meet(monster, `m${at}`);
      const times: number[] = [];
      for (let n = 0; n < ASKED; n += 1) {
        const start = performance.now();
        await get('/api/sessions/other');
        times.push(performance.now() - start);
      }
      medians.push(median(times));
      memories.push(memoryOf(hub.pid));
      if (SIGNALBOX_MONSTERS !== undefined) report(monster, medians.at(-1) ?? 0, memories.at(-1) ?? 0);
    }
    expect(Math.max(...memories)).toBeLessThan(MEMORY_BYTES);
    // What was asked before all of them is still open, and what an agent says is still heard.
    await agent.ask('after');
    await until(async () => (await get('/api/permissions')).items.length >= 2);
    const againMs = await restartMs();
    const open = await get('/api/permissions');
    const ids = open.items.map(({ requestId }: { requestId: string }) => requestId);
    expect(ids).toEqual(expect.arrayContaining(['kept', 'after']));
    if (SIGNALBOX_MONSTERS !== undefined)
      process.stdout.write(
        `seed ${SEED}: ${MONSTERS} monsters; others were answered in ${median(medians).toFixed(1)} ms at the median, ${Math.max(...medians).toFixed(1)} ms after the worst; ${mib(Math.max(...memories))} MiB at most; a restart took ${Math.round(againMs)} ms, before ${Math.round(usualMs)} ms\n`,
      );

    /** End it as a service manager does, and start it again: how long the start took. */
    async function restartMs(): Promise<number> {
      const { port } = new URL(hub.url);
      hub.tell('SIGTERM');
      expect(await hub.exited).toEqual({ code: 0, signal: null });
      const start = performance.now();
      hub = await HubProcess.start(home, Number(port));
      return performance.now() - start;
    }

    async function get(path: string) {
      const { status, body } = await call(hub.url, hub.token, 'GET', path);
      expect(status).toBe(200);
      return body;
    }

    /** Bring it to its door, and wait until the hub has dealt with it. */
    async function meet(monster: Monster, id: string): Promise<void> {
      const headers = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' };
      const post = (path: string, body: string) =>
        fetch(`${hub.url}${path}`, { method: 'POST', headers, body });
      const line = lineOf(monster, id);
      const value = valueOf(monster);
      switch (monster.door) {
        case 'posted':
          expect((await post('/session/monster/events', `{"events":[${line}]}`)).status).toBe(200);
          break;
        case 'prompt':
          await post(
            '/api/sessions/other/prompts',
            `{"clientId":"${id}","content":[{"type":"x","x":${value}}]}`,
          );
          break;
        case 'changed input':
          await post(
            '/api/sessions/monster/permissions/nobody/answer',
            `{"behavior":"allow","updatedInput":${value}}`,
          );
          break;
        case 'stream': {
          const viewer = await TestViewer.connect(hub.url, hub.token);
          viewer.socket.send(
            `{"type":"control","id":"c","session":"nobody","request":{"subtype":"x","x":${value}}}`,
          );
          await until(() => viewer.closed ?? viewer.told.find(({ type }) => type === 'error'));
          viewer.socket.terminate();
          break;
        }
        case 'wire': {
          const host = await TestFrontend.connect(`${hub.url}/api/sessions/other/wire?after=new`, {
            token: hub.token,
          });
          host.socket.send(
            `{"type":"control_request","request_id":"${id}","request":{"subtype":"x","x":${value}}}`,
          );
          // The agent answers none of these; the hub answers this one by itself, after it.
          const next = { subtype: 'initialize' };
          host.say({ type: 'control_request', request_id: 'next', request: next });
          await until(
            () => host.closed ?? host.messages.some(({ response }) => response?.request_id === 'next'),
          );
          host.socket.terminate();
          break;
        }
        default:
          await agent.transport.send(line ?? '');
      }
      await agent.say({ type: 'system', subtype: 'after', uuid: `after-${id}` });
      await until(async () => {
        const { entries } = await get('/api/sessions/monster/events?limit=3');
        return entries.some(
          (entry: { message?: { uuid?: string } }) => entry.message?.uuid === `after-${id}`,
        );
      });
    }
  });
});

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function report({ door, levels, bytes }: Monster, ms: number, memory: number): void {
  const what = `${door}: ${levels} levels, ${bytes} bytes`;
  process.stdout.write(`${what}: others were answered in ${ms.toFixed(1)} ms, ${mib(memory)} MiB\n`);
}
