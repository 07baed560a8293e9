import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '@signalbox/testing/hub/certificate';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { HubApi } from 'signalbox/hub';
import { describe, expect, it } from 'vitest';
import { ownCommand } from '../src/own-command.ts';
import { HubStage, SIGNALBOX } from './hub-stage.ts';
import { readQrCode } from './read-qr-code.ts';

/** Open a link as a browser does; the answer says whether it was good. */
async function redeem(stage: HubStage, text: string): Promise<number> {
  const link = /#(\S+)/.exec(text)?.[1];
  const { status } = await fetch(`${stage.url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  return status;
}

describe('one more browser', () => {
  it('[CL27] gets a link from signalbox up where a hub runs already', async () => {
    const stage = await HubStage.start();
    const { code, stdout } = await stage.run('up');
    expect(code).toBe(0);
    expect(stdout).toContain(`A hub runs at ${stage.url} (pid ${stage.hubPid})`);
    expect(stdout).not.toContain('other options');
    expect(await redeem(stage, stdout)).toBe(200);
    expect((await stage.run('up', '--port', '0')).stdout).toContain('end it first');
  });

  it('[CL28] gets a link with a name and a scope, is listed, and is signed out', async () => {
    const stage = await HubStage.start();
    const link = await stage.run('link', '--name', 'my phone', '--person', 'Zoe', '--scope', 'approve');
    expect(link.code).toBe(0);
    expect(link.stdout).toMatch(new RegExp(`^${stage.url}/sign-in#\\S+\n$`));
    // Behind the label of up, on a terminal of 80 columns.
    expect(link.stdout.trim().length).toBeLessThanOrEqual(67);
    expect(link.stderr).toContain(`ssh -L ${stage.port}:127.0.0.1:${stage.port}`);
    expect(await redeem(stage, link.stdout)).toBe(200);
    expect(await redeem(stage, link.stdout)).not.toBe(200);
    const { stdout } = await stage.run('devices');
    expect(stdout).toMatch(/ this one\n/);
    const [id = ''] = /^\S+(?= +Zoe +my phone +approve )/m.exec(stdout) ?? [];
    expect(await stage.run('devices', 'revoke', id)).toMatchObject({
      code: 0,
      stdout: `signed out ${id} Zoe on my phone\n`,
    });
    expect((await stage.run('devices')).stdout).not.toContain('Zoe');
    const listed = JSON.parse((await stage.run('devices', '--json')).stdout);
    expect(listed).toContainEqual(expect.objectContaining({ person: 'Zoe', revokedAt: expect.any(Number) }));
    expect(await stage.run('devices', 'revoke', id)).toMatchObject({ code: 1 });
  });
});

describe('what a hub advises', () => {
  it('[CL39] is a command that works where it was started', async () => {
    const stage = await HubStage.start();
    await stage.killHub();
    const [, command = ''] = /another {4}SIGNALBOX_HOME=\S+ (\S+) link/.exec(await stage.startHub()) ?? [];
    expect(realpathSync(command)).toBe(realpathSync(SIGNALBOX));
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'signalbox'), '');
    expect(ownCommand({ PATH: `/nowhere:${folder}` }, SIGNALBOX)).toBe('signalbox');
  });
});

describe('a hub that other machines reach', () => {
  it('[CL289] shows its links as QR codes, to people at a terminal that has room', async () => {
    const { cert, key } = makeCertificate(temporaryFolder(), { name: 'box.lan' });
    const stage = await HubStage.start(
      '--host',
      '0.0.0.0',
      '--cert',
      cert,
      '--key',
      key,
      '--name',
      'box.lan',
    );
    for (const words of [['link', '--name', 'phone'], ['up']]) {
      const pane = await stage.openAt(130, ...words);
      const screen = await pane.see('exit code 0');
      const [link = ''] = /https:\S+sign-in#\S+/.exec(screen) ?? [];
      expect(link).toContain(`https://box.lan:${stage.port}/sign-in#`);
      expect(readQrCode(screen)).toBe(link);
    }
    const narrow = await stage.openAt(30, 'link');
    await narrow.see('(A terminal of ');
    const { stdout } = await stage.run('link');
    expect(stdout).toMatch(/^https:\S+\n$/);
  });

  it('[CL29] is shown by its name, and reached by the commands of its own machine whatever its certificate', async () => {
    const { cert, key } = makeCertificate(temporaryFolder(), { name: 'box.lan' });
    const stage = await HubStage.start(
      '--host',
      '0.0.0.0',
      '--cert',
      cert,
      '--key',
      key,
      '--name',
      'box.lan',
    );
    await stage.killHub();
    const address = `https://box.lan:${stage.port}`;
    const said = await stage.startHub();
    expect(said).toContain(`is up at ${address}\n`);
    expect(said).toContain(`sign in    ${address}/sign-in#`);
    const file = JSON.parse(readFileSync(join(stage.home, 'data', 'hub.json'), 'utf8'));
    expect(file).toMatchObject({ url: address, dial: `wss://127.0.0.1:${stage.port}` });
    expect((await stage.run('link')).stdout).toContain(`${address}/sign-in#`);
    const done = await stage.run('run', '--agent', 'signalbox-agent', 'say over TLS');
    expect(done).toMatchObject({ code: 0, stdout: 'over TLS\n' });
    expect((await stage.run('sessions')).stdout).toContain('say over TLS');
    expect((await stage.run('doctor')).stdout).toContain('✓ hub ');
    expect((await stage.run('up')).stdout).toContain(`A hub runs at ${address}`);
    const pane = await stage.open('attach');
    await pane.see('● over TLS');
  });

  it('[CL29] is shown by the address of what is in front of it', async () => {
    const stage = await HubStage.start('--behind-proxy', '--name', 'hub.example.com');
    const { stdout } = await stage.run('up');
    expect(stdout).toContain('A hub runs at https://hub.example.com (pid');
    expect(stdout).toContain('https://hub.example.com/sign-in#');
    expect(await new HubApi({ url: stage.url, token: stage.token }).me()).toMatchObject({ scope: 'admin' });
  });
});
