import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { greetedThen, LaunchStage } from './launch-stage.ts';

describe('an agent that ends by itself', () => {
  it('[LN1977] is started again where that was asked for, also by a hub that comes later, and never when a person ended it', async () => {
    const stage = await LaunchStage.open();
    const restartsOf = async (id: string) =>
      (await stage.messagesOf(id)).filter(({ type, subtype }) => type === 'hub' && subtype === 'restart');
    const isBack = (id: string, agentBefore: number) =>
      until(async () => {
        const { agent } = await stage.agentOf(id);
        return (await stage.stateOf(id)) === 'idle' && agent !== 0 && agent !== agentBefore;
      });
    const { id, restart } = await stage.launched({ restart: 'on-failure' });
    expect(restart).toMatchObject({ policy: 'on-failure', most: 5, count: 0, state: 'watching' });
    const first = (await stage.agentOf(id)).agent;
    process.kill(first, 'SIGKILL');
    await isBack(id, first);
    expect(await restartsOf(id)).toMatchObject([
      { count: 1, most: 5, message: expect.stringMatching(/SIGKILL.* started again in 1 s, 1 of 5 times/) },
    ]);
    expect((await stage.store.sessions.get(id))?.restart).toMatchObject({ count: 1, state: 'watching' });
    // While no hub is there.
    const { port } = stage.hub;
    await stage.hub.close();
    const second = (await stage.agentOf(id)).agent;
    process.kill(second, 'SIGKILL');
    await stage.startHub(port);
    await isBack(id, second);
    expect((await restartsOf(id)).map(({ count }) => count)).toEqual([1, 2]);
    const { body } = await stage.call('GET', `/api/audit?session=${id}`);
    expect(body.items[0]).toMatchObject({ what: 'restart', author: { by: 'hub' } });
    // A person starts it anew, which counts from nothing, and then ends it.
    expect((await stage.call('POST', `/api/sessions/${id}/restart`, {})).body.restart).toMatchObject({
      count: 0,
      state: 'watching',
    });
    const stopped = await stage.call('POST', `/api/sessions/${id}/stop`, {});
    expect(stopped.body).toMatchObject({ state: 'exited', restart: { state: 'over' } });
    await stage.hub.close();
    await stage.startHub(port);
    expect(await restartsOf(id)).toHaveLength(2);
    expect((await stage.call('GET', `/api/sessions/${id}`)).body).toMatchObject({
      state: 'exited',
      restart: { state: 'over' },
    });
  });

  it('[LN1978] is given up when it fails too often in a row, with why; without a policy it stays as it is', async () => {
    const stage = await LaunchStage.open();
    const broken = join(stage.folder, 'broken');
    const code = `if (require('node:fs').existsSync(${JSON.stringify(broken)})) { console.error('no luck'); process.exit(3); }`;
    const { id } = await stage.launched({ ...greetedThen(code), restart: 'always', restartLimit: 1 });
    writeFileSync(broken, '');
    process.kill((await stage.agentOf(id)).agent, 'SIGKILL');
    const given = await until(async () => {
      const { restart } = (await stage.store.sessions.get(id)) ?? {};
      return restart?.state === 'given-up' ? restart : undefined;
    });
    expect(given).toMatchObject({ count: 1, nextAt: null, why: expect.stringContaining('no luck') });
    const notes = (await stage.messagesOf(id)).filter(({ subtype }) => subtype === 'restart');
    expect(notes.map(({ state }) => state)).toEqual(['waiting', 'given-up']);
    const plain = await stage.launched(greetedThen(''), { id: 'plain' });
    expect(plain.restart).toBeNull();
    process.kill((await stage.agentOf('plain')).agent, 'SIGKILL');
    await until(async () => (await stage.stateOf('plain')) === 'exited');
    const refused = await stage.launch({ restartLimit: 3 });
    expect(refused.body).toMatchObject({ code: 'REQUEST_INVALID' });
    expect((await stage.launch({ restart: 'always', restartLimit: 0 })).status).toBe(400);
  });
});
