import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHubFile } from '@signalbox/hub/bridge';
import { freePort } from '@signalbox/testing/free-port';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';
import { Stranger } from './stranger.ts';

const COMMANDS = [
  ['run', '--agent', 'scripted', 'hello'],
  ['sessions'],
  ['sessions', 'stop', 'x'],
  ['attach'],
  ['link'],
  ['devices'],
  ['devices', 'revoke', 'x'],
  ['doctor'],
];

const ECHO = [process.execPath, '-e', 'process.stdin.once("data", () => process.exit(0))'];

describe('the token of a machine', () => {
  it('[CL340] goes to nobody who listens where the hub was, or could be, while it is down: not from any command', async () => {
    const stage = await HubStage.start();
    await stage.killHub();
    const [there, usual] = [await Stranger.at(stage.port), await Stranger.atUsualPort()];
    for (const words of COMMANDS) {
      const { code, stderr } = await stage.run(...words);
      if (words[0] !== 'doctor') expect({ words, code }).toEqual({ words, code: 1 });
      if (words[0] !== 'doctor') expect(stderr).toContain('No hub runs here');
    }
    for (const words of [['down'], ['down', '--agents']]) await stage.run(...words);
    for (const named of [stage.url, `http://localhost:${stage.port}`]) {
      const byName = await stage.run('sessions', '--hub', named);
      expect(byName).toMatchObject({ code: 1, stderr: expect.stringContaining('No hub runs here') });
    }
    const bridge = ['bridge', '--token-file', stage.tokenFile, '--session', 's', '--detach'];
    await stage.run(...bridge, '--local', '--', ...ECHO);
    await stage.run(...bridge, '--id', 'named', '--hub', stage.url, '--', ...ECHO);
    for (const id of ['s', 'named']) await until(() => logOf(stage, id).includes('hub.sock'));
    expect([there.heard, usual?.heard ?? '']).toEqual(['', '']);
  });

  it('[CL340] goes to the hub alone when it is back elsewhere, from those who waited for it too', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    const pane = await stage.open('attach', session);
    await pane.see('What shall we do?');
    await stage.killHub();
    const [there, usual] = [await Stranger.at(stage.port), await Stranger.atUsualPort()];
    await pane.see('trying again');
    await until(() => logOf(stage, session).includes('ECONNREFUSED'));
    await stage.startHub(0);
    expect(readHubFile(join(stage.home, 'data'))?.dial).not.toContain(`:${stage.port}`);
    await pane.say('say back again');
    await pane.see('● back again');
    for (const words of [['sessions'], ['devices'], ['link'], ['doctor'], ['up']])
      expect({ words, ...(await stage.run(...words)) }).toMatchObject({ words, code: 0 });
    expect((await stage.run('run', '--agent', 'signalbox-agent', 'say hello')).code).toBe(0);
    expect([there.heard, usual?.heard ?? '']).toEqual(['', '']);
  });

  it('[CL341] stays here when a person names an address that nothing shows to be the hub', async () => {
    const stage = await HubStage.start();
    const stranger = await Stranger.at(await freePort());
    for (const words of [
      ['sessions', '--hub', stranger.url],
      ['sessions', '--hub', stranger.url, '--token-file', stage.tokenFile],
      ['link', '--hub', `http://localhost:${stranger.port}`],
      ['bridge', '--hub', `ws://127.0.0.1:${stranger.port}`, '--token-file', stage.tokenFile, '--', 'true'],
    ])
      expect(await stage.run(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('its token stays here'),
      });
    expect(stranger.heard).toBe('');
    const other = join(temporaryFolder(), 'token');
    writeFileSync(other, 'of-another-hub\n');
    await stage.run('sessions', '--hub', stranger.url, '--token-file', other);
    expect(stranger.heard).toContain('Bearer of-another-hub');
    expect(stranger.heard).not.toContain(stage.token);
    const own = await stage.run('sessions', '--hub', stage.url, '--token-file', stage.tokenFile);
    expect(own.code).toBe(0);
  });

  it('[CL343] is not the only one that goes by the socket: whoever names the hub of the home by its address is taken there', async () => {
    const stage = await HubStage.start();
    const { token } = await stage.api.createSession({ id: 's' });
    const file = join(temporaryFolder(), 'token');
    writeFileSync(file, `${token}\n`);
    const words = ['bridge', '--hub', stage.url, '--token-file', file, '--session', 's', '--detach'];
    // One that stays when it is greeted: with its end, and the hub told of it, the bridge and its log would be gone.
    const staying = [process.execPath, '-e', 'process.stdin.resume()'];
    expect((await stage.run(...words, '--', ...staying)).code).toBe(0);
    const log = (): string => logOf(stage, 's');
    await until(() => log().includes('The link is connected'));
    await stage.killHub();
    const stranger = await Stranger.at(stage.port);
    await until(() => log().includes('hub.sock'));
    expect(stranger.heard).toBe('');
  });

  it('[CL342] stays here when the hub is one of an earlier version, which has no socket', async () => {
    const stage = await HubStage.start();
    const file = join(stage.home, 'data', 'hub.json');
    const { socket, ...older } = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(socket);
    writeFileSync(file, JSON.stringify(older));
    for (const words of [['sessions'], ['sessions', '--hub', stage.url]])
      expect(await stage.run(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/earlier version.*End it and start signalbox up/),
      });
    const words = ['bridge', '--local', '--token-file', stage.tokenFile, '--session', 's', '--detach'];
    await stage.run(...words, '--', ...ECHO);
    await until(() => logOf(stage, 's').includes('is of an earlier version'));
  });
});

function logOf(stage: HubStage, bridge: string): string {
  return readFileSync(join(stage.home, 'data', 'bridges', bridge, 'bridge.log'), 'utf8');
}
