import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { LaunchSpec } from '@signalbox/protocol/hub';
import { freePort } from '@signalbox/testing/free-port';
import { type CertificateFiles, makeCertificate } from '@signalbox/testing/hub/certificate';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, logOf } from '../../src/bridge/bridge-folder.ts';
import { findBridges } from '../../src/bridge/find-bridges.ts';
import { bridgeIdOf } from '../../src/launch/bridge-id.ts';
import { greetedThen, LaunchStage } from './launch-stage.ts';

const ADA = { by: 'person', device: 'd', name: 'Ada' } as const;

describe('a hub that launched an agent', () => {
  it('[LN26] is found by it again when it was killed and came back on another port', async () => {
    const [home, folder] = [temporaryFolder(), temporaryFolder()];
    const first = await HubProcess.start(home, await freePort());
    const launch = { folder, ...greetedThen('') };
    const { status } = await call(first.url, first.token, 'POST', '/api/sessions', { id: 's', launch });
    expect(status).toBe(201);
    const [before] = await findBridges(home);
    await first.kill();

    const next = await HubProcess.start(home, await freePort());
    expect(next.url).not.toBe(first.url);
    const session = async () => (await call(next.url, next.token, 'GET', '/api/sessions/s')).body;
    await until(async () => (await session()).state === 'idle');
    expect(await findBridges(home)).toMatchObject([{ pid: before?.pid, agentPid: before?.agentPid }]);
    expect((await call(next.url, next.token, 'POST', '/api/sessions/s/stop', {})).body.state).toBe('exited');
  });

  it('[LN27] with a certificate that nobody else trusts is trusted, also when it came back with another', async () => {
    const folder = temporaryFolder();
    const stage = await LaunchStage.open({ tls: pem(makeCertificate(folder, { name: 'one.example' })) });
    const { id, state } = await stage.hub.launch(ADA, { launch: launchIn(stage) });
    expect(state).toBe('idle');
    const { port } = stage.hub;
    await stage.hub.close();
    const authority = makeCertificate(folder, { name: 'authority.example' });
    const tls = pem(makeCertificate(folder, { name: 'two.example', by: authority }));
    await stage.startHub(port, { tls });
    await until(async () => (await stage.stateOf(id)) === 'idle');
    // What a killed bridge leaves is told to such a hub as well.
    const { bridge, agent } = await stage.agentOf(id);
    await stage.hub.close();
    process.kill(bridge, 'SIGKILL');
    await until(() => !isRunning(agent));
    await stage.startHub(port, { tls });
    await until(async () => (await stage.stateOf(id)) === 'exited');
  });

  it('[LN28] is not looked for by its agent at the port that it had, where somebody else may listen', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.hub.launch(ADA, { launch: launchIn(stage) });
    const { port } = stage.hub;
    await stage.hub.close();
    let visits = 0;
    const stranger = createServer(() => (visits += 1)).listen(port, '127.0.0.1');
    onTestFinished(() => void stranger.close());
    await once(stranger, 'listening');
    const log = logOf(folderOf(stage.home, bridgeIdOf(id)));
    await until(() => readFileSync(log, 'utf8').includes('Cannot connect to'));
    await stage.startHub();
    await until(async () => (await stage.stateOf(id)) === 'idle');
    expect(stage.hub.port).not.toBe(port);
    expect(visits).toBe(0);
  });
});

function launchIn({ folder }: LaunchStage): LaunchSpec {
  return { agent: 'custom', folder, ...greetedThen('') };
}

function pem({ cert, key }: CertificateFiles): { cert: string; key: string } {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}
