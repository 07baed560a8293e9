import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('notices from a terminal', () => {
  it('[CL1940] targets are added, listed, tested and removed; what became of a notice of a real agent is listed', async () => {
    const stage = await HubStage.start();
    const receiver = await NoticeReceiver.listen();
    expect((await stage.run('notices')).stdout).toMatch(/^Nobody is told\./);
    const url = `${receiver.url}/hook/hidden`;
    const added = await stage.run('notices', 'add', url, '--inside', '--kinds', 'finished', '--name', 'desk');
    expect(added.stdout).toMatch(/^added \w{8} webhook desk \(\S+\/…\)\nsigned with whsec_\S+\nThe secret/);
    const listed = await stage.run('notices');
    expect(listed.stdout).toMatch(/^ID +TYPE +NAME +ADDRESS +TOLD +STATE\n\w{8} +webhook +desk/);
    expect(listed.stdout).not.toContain('hidden');
    const [{ id }] = JSON.parse((await stage.run('notices', '--json')).stdout);
    const start = id.slice(0, 8);
    expect(await stage.run('notices', 'test', start)).toMatchObject({ code: 0, stdout: 'desk: sent\n' });
    receiver.answers = [400];
    expect(await stage.run('notices', 'test', start)).toMatchObject({
      code: 1,
      stdout: 'desk: failed: HTTP 400\n',
    });
    receiver.answers = [200];
    expect((await stage.run('run', '--detach', '--agent', 'signalbox-agent', 'say hello')).code).toBe(0);
    expect(await receiver.gets(({ event }) => event === 'finished')).toMatchObject({
      title: expect.any(String),
    });
    expect((await stage.run('notices', 'log')).stdout).toMatch(/ finished +desk +(?:sent|waiting) /);
    const token = join(stage.home, 'ntfy-token');
    writeFileSync(token, 'tk_1\n');
    const ntfy = [
      'notices',
      'add',
      `${receiver.url}/topic`,
      '--ntfy',
      '--ntfy-token',
      token,
      '--inside',
      '--answers',
    ];
    expect((await stage.run(...ntfy, '--json')).stdout).toContain('"mayAnswer": true');
    expect((await stage.run('notices', 'rm', start)).stdout).toMatch(/^removed \w{8} webhook desk/);
    const unnamed = await stage.run('notices', 'add', 'https://hooks.example/x');
    expect(unnamed.stdout).toMatch(/^added \w{8} webhook at hooks\.example \(/);
  });

  it('[CL1941] what is wrong with an address or with the command line is said, with an exit code of its own', async () => {
    const stage = await HubStage.start();
    for (const words of [
      ['add'],
      ['forget', 'x'],
      ['log', 'x'],
      ['add', 'https://a.example/', '--kinds', 'asks,odd'],
      ['add', 'https://a.example/', '--ntfy-token', 'x'],
    ])
      expect(await stage.run('notices', ...words)).toMatchObject({ code: 2, stdout: '' });
    for (const [url, words] of [
      ['http://127.0.0.1/x', 'inside of the network'],
      ['nowhere', 'it is no URL'],
    ] as const)
      expect(await stage.run('notices', 'add', url)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(words),
      });
    expect(await stage.run('notices', 'rm', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No target's id begins with nothing"),
    });
  });
});
