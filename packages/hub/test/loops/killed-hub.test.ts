import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '@signalbox/protocol/hub';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { beginLoop, type Caller, hasEnded, loopThat, NotedFolder } from '@signalbox/testing/hub/loop-stage';
import { call as callHub, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { endProcess } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBridges } from '../../src/bridge/find-bridges.ts';

describe('a loop whose hub is killed', () => {
  it('[LP1170] goes on at the iteration that was under way, and runs none twice, wherever it was killed', async () => {
    const stage = await KillStage.open();
    const { folder } = stage;
    const { id } = await beginLoop(stage.call, {
      launch: { agent: 'claude', folder: folder.path },
      prompt: 'go',
      maxIterations: 4,
      untilCommand: 'echo >> checks; test -f enough',
    });
    // While an agent is being started.
    await until(() => folder.linesOf('runs').length === 1);
    await stage.killHub();
    await stage.startHub();
    await folder.prompted(1);
    // While it works, and ends its turn with nobody there.
    await stage.killHub();
    folder.go(1);
    await stage.startHub();
    await folder.prompted(2);
    // At no certain place: the turn ends, the command is checked, the next one begins.
    for (const number of [2, 3]) {
      folder.go(number);
      await stage.killHub();
      await stage.startHub();
      await folder.prompted(number + 1);
    }
    folder.go(4);
    const end = await loopThat(stage.call, id, hasEnded);
    expect(end).toMatchObject({ end: 'limit', iteration: 4, turns: 8, costUsd: 1 });
    expect(folder.linesOf('prompts')).toHaveLength(4);
    const { body } = await stage.call('GET', `/api/loops/${id}/iterations`);
    const iterations: NonNullable<Loop['current']>[] = body.items;
    expect(iterations.map(({ number, how }) => [number, how])).toEqual([
      [4, 'well'],
      [3, 'well'],
      [2, 'well'],
      [1, 'well'],
    ]);
    expect(new Set(iterations.map(({ session }) => session)).size).toBe(4);
    // Of a check that was killed nobody knows how it ended: it may be run again, and is never left out.
    expect(readFileSync(join(folder.path, 'checks'), 'utf8').split('\n').length - 1).toBeGreaterThanOrEqual(
      4,
    );
    await until(async () => (await findBridges(stage.home)).every(({ state }) => state !== 'running'));
  });

  it('[LP1171] stays paused, and can be stopped, across a hub that is killed', async () => {
    const stage = await KillStage.open();
    const { folder } = stage;
    const launch = { agent: 'claude', folder: folder.path } as const;
    const { id } = await beginLoop(stage.call, { launch, prompt: 'go', keepSession: true });
    await folder.prompted(1);
    await stage.call('POST', `/api/loops/${id}/pause`);
    folder.go(1);
    await loopThat(stage.call, id, ({ state }) => state === 'paused');
    await stage.killHub();
    await stage.startHub();
    expect((await stage.call('GET', `/api/loops/${id}`)).body).toMatchObject({
      state: 'paused',
      iteration: 1,
    });
    expect((await stage.call('POST', `/api/loops/${id}/resume`)).body.state).toBe('running');
    await folder.prompted(2);
    expect(folder.linesOf('runs')).toHaveLength(1);
    await stage.call('POST', `/api/loops/${id}/stop`);
    await stage.killHub();
    await stage.startHub();
    expect(await loopThat(stage.call, id, hasEnded)).toMatchObject({ end: 'stopped', iteration: 2 });
    await until(async () => (await findBridges(stage.home)).every(({ state }) => state !== 'running'));
  });
});

/** A hub in a process of its own, whose `claude` notes what it is told. */
class KillStage {
  readonly home = temporaryFolder();
  readonly folder = new NotedFolder(temporaryFolder());
  readonly #port: number;
  #hub: HubProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    mkdirSync(join(this.home, '.local/bin'), { recursive: true });
    NotedFolder.writeAgent(join(this.home, '.local/bin/claude'));
    onTestFinished(async () => {
      for (const { pid, state } of await findBridges(this.home)) if (state === 'running') endProcess(pid);
      await until(async () => (await findBridges(this.home)).every(({ state }) => state !== 'running'));
    });
  }

  static async open(): Promise<KillStage> {
    const stage = new KillStage(await freePort());
    await stage.startHub();
    return stage;
  }

  async startHub(): Promise<void> {
    this.#hub = await HubProcess.start(this.home, this.#port);
  }

  async killHub(): Promise<void> {
    await this.#hub?.kill();
  }

  readonly call: Caller = (method, path, body) =>
    callHub(this.#hub?.url ?? '', this.#hub?.token ?? '', method, path, body);
}
