import { readFileSync } from 'node:fs';
import { until } from '@signalbox/testing/hub/test-parts';
import { isRunning } from '@signalbox/testing/is-running';
import { processStats, withDescendants } from '@signalbox/transport/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenSockets } from '../../src/auth/open-sockets.ts';
import { folderOf, logOf } from '../../src/bridge/bridge-folder.ts';
import { bridgeIdOf } from '../../src/launch/bridge-id.ts';
import { NoticeOutbox } from '../../src/notices/notice-outbox.ts';
import { createServices, type Services } from '../../src/service/services.ts';
import { LiveSessions } from '../../src/sessions/live-sessions.ts';
import { greetedThen, LaunchStage } from './launch-stage.ts';

const ADA = { by: 'person', device: 'd', name: 'Ada' } as const;

describe('an agent that is out of reach', () => {
  it('[LN29] keeps its session: that is not removed while the agent runs', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched(greetedThen(''));
    const { bridge } = await stage.agentOf(id);
    const { port } = stage.hub;
    await stage.hub.close();
    process.kill(bridge, 'SIGSTOP');
    onTestFinished(() => void (isRunning(bridge) && process.kill(bridge, 'SIGCONT')));
    await stage.startHub(port);
    const remove = () => stage.call('DELETE', `/api/sessions/${id}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'SESSION_CONNECTED' } });
    process.kill(bridge, 'SIGCONT');
    await until(async () => (await stage.stateOf(id)) === 'idle');
    expect((await stage.call('POST', `/api/sessions/${id}/stop`, {})).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect(isRunning(bridge)).toBe(false);
  });

  it('[LN30] for good, because all of it was killed, is an exited session soon', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched(greetedThen(''));
    const { bridge, agent } = await stage.agentOf(id);
    const all = withDescendants([bridge], processStats());
    expect(all).toContain(agent);
    for (const pid of all) process.kill(pid, 'SIGKILL');
    await until(async () => (await stage.stateOf(id)) === 'exited');
    const exit = (await stage.store.sessions.get(id))?.exit;
    expect(exit).toMatchObject({ code: null, stderr: expect.stringContaining('Its bridge was killed') });
    expect((await stage.call('POST', `/api/sessions/${id}/restart`, {})).body.state).toBe('idle');
  });

  it('[LN31] is not stopped in vain for ever: what its bridge said last is told', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched(greetedThen(''));
    const { bridge, agent } = await stage.agentOf(id);
    await stage.hub.close();
    const log = logOf(folderOf(stage.home, bridgeIdOf(id)));
    await until(() => readFileSync(log, 'utf8').includes('Cannot connect'));
    process.kill(bridge, 'SIGSTOP');
    onTestFinished(() => void (isRunning(bridge) && process.kill(bridge, 'SIGCONT')));
    const { keeper, live, trouble } = await unreachable(stage, { stopPatienceMs: 500 });
    const stopped = live.use(id, (session) => keeper.stop(session));
    await expect(stopped).rejects.toMatchObject({
      code: 'AGENT_NOT_STOPPED',
      message: expect.stringMatching(/Cannot connect to .*ENOENT .*hub\.sock/),
    });
    expect(trouble).toMatchObject([{ code: 'AGENT_NOT_STOPPED' }]);
    process.kill(bridge, 'SIGCONT');
    await until(() => !isRunning(bridge));
    expect(isRunning(agent)).toBe(false);
    keeper.close();
    // What it said is not lost: a hub that can be reached has it.
    await stage.startHub();
    await until(async () => (await stage.stateOf(id)) === 'exited');
  });

  it('[LN32] from the start has not started: its bridge’s log says why, and nothing goes on running', async () => {
    const stage = await LaunchStage.open();
    await stage.hub.close();
    const { launches, trouble } = await unreachable(stage, { startPatienceMs: 5000 });
    const launch = { agent: 'custom', folder: stage.folder, ...greetedThen('') } as const;
    const launched = launches.launch(ADA, { id: 's', launch });
    const agent = await until(async () => (await stage.agentOf('s')).agent);
    await expect(launched).rejects.toMatchObject({
      code: 'AGENT_NOT_STARTED',
      message: expect.stringMatching(/did not reach the hub.*Cannot connect to .*ENOENT .*hub\.sock/s),
    });
    expect(trouble).toMatchObject([{ code: 'AGENT_NOT_STARTED' }]);
    expect(isRunning(agent)).toBe(false);
    expect(await stage.stateOf('s')).toBe('exited');
  });
});

/** What a hub launches agents with, while none listens on the socket of the home. */
async function unreachable(
  stage: LaunchStage,
  patience: { startPatienceMs?: number; stopPatienceMs?: number },
): Promise<Services & { live: LiveSessions; trouble: unknown[] }> {
  const trouble: unknown[] = [];
  const live = new LiveSessions(stage.store, () => {});
  await live.begin();
  const parts = {
    store: stage.store,
    sessions: live,
    sockets: new OpenSockets(),
    setup: stage.setup,
    hub: 'ws://127.0.0.1:1',
  };
  const onTrouble = (error: unknown): void => void trouble.push(error);
  const outbox = new NoticeOutbox({
    store: stage.store,
    requestFor: async () => ({ gone: 'nobody is told here' }),
    onTrouble,
  });
  return { ...createServices({ ...parts, outbox, onTrouble, ...patience }), live, trouble };
}
