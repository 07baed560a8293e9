import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SaidMessage } from '../src/fork/said-messages.ts';
import { HubStage } from './hub-stage.ts';

describe('signalbox fork', () => {
  it('[CL2125] lists prompts, goes on from before one in a session of its own, and puts files back after a look', async () => {
    const stage = await HubStage.start();
    const file = join(stage.project, 'note.txt');
    const words = ['run', '--agent', 'signalbox-agent', '--mode', 'acceptEdits', '--folder', stage.project];
    expect(await stage.run(...words, `write ${file} first`)).toMatchObject({ code: 0 });
    const [session] = (await stage.api.sessions()).items;
    const id = session?.id ?? '';
    expect(await stage.run('run', '--session', id, `write ${file} second`)).toMatchObject({ code: 0 });
    const listed = await stage.run('fork', id.slice(0, 8), '--list');
    expect(listed.stdout).toMatch(
      /^PLACE +WORDS\n--before \d+ +write .* first\n--after \d+ +ok\n--after \d+ +Write\n/,
    );
    const messages: SaidMessage[] = JSON.parse((await stage.run('fork', id, '--list', '--json')).stdout);
    const [, second] = messages.filter(({ by }) => by === 'person');
    if (!second) throw new Error('there is no second prompt');
    const back = ['fork', id, '--before', String(second.seq), '--files'];
    const looked = await stage.run(...back, '--dry-run');
    expect(looked).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    expect(readFileSync(file, 'utf8')).toContain('second');
    const forked = JSON.parse((await stage.run(...back, '--title', 'again', '--json')).stdout);
    expect(forked).toMatchObject({ title: 'again', folder: stage.project, mode: 'acceptEdits' });
    expect(readFileSync(file, 'utf8')).toContain('first');
    const on = await stage.run('run', '--session', forked.id, 'say on');
    expect(on).toMatchObject({ code: 0, stdout: 'on\n' });
    const asked = JSON.stringify(stage.model.requests.at(-1)?.body);
    expect([asked.includes('note.txt first'), asked.includes('note.txt second')]).toEqual([true, false]);
    for (const [wrong, problem] of [
      [['--before', 'x'], '--list shows'],
      [['--after', 'x'], '--list shows'],
      [['--before', '3', '--after', '4'], 'not both'],
      [['--files'], '--before N'],
      [['--dry-run'], '--before N'],
      [['--before', '3', '--no-conversation'], 'goes with --files'],
      [['--list', '--before', '3'], 'leave one'],
      [['more'], 'too much'],
    ] as const)
      expect(await stage.run('fork', id, ...wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(problem),
      });
    const refused = await stage.run('fork', id, '--before', '1');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no prompt of a person') });
  });

  it('[CL3344] shows what of a conversation and of the files a fork keeps, goes on after a reply, and restores files alone', async () => {
    const stage = await HubStage.start();
    const file = join(stage.project, 'note.txt');
    const words = ['run', '--agent', 'signalbox-agent', '--mode', 'acceptEdits', '--folder', stage.project];
    await stage.run(...words, `write ${file} first`);
    const [session] = (await stage.api.sessions()).items;
    const id = session?.id ?? '';
    await stage.run('run', '--session', id, `write ${file} second`);
    const messages: SaidMessage[] = JSON.parse((await stage.run('fork', id, '--list', '--json')).stdout);
    const second = messages.findLastIndex(({ by }) => by === 'person');
    const reply = messages[second - 1];
    const place = ['fork', id, '--after', String(reply?.seq), '--files'];
    const looked = JSON.parse((await stage.run(...place, '--dry-run', '--json')).stdout);
    expect(looked).toMatchObject({
      kept: messages.slice(0, second),
      leftOut: messages.slice(second),
      files: { filesChanged: [file] },
    });
    const { stdout } = await stage.run(...place, '--dry-run');
    expect(stdout).toContain(`The new session knows ${second} messages.`);
    expect(stdout).toMatch(/Left out, \d+ messages:\n  person: write .* second\n/);
    expect(stdout).toContain(file);
    expect(readFileSync(file, 'utf8')).toContain('second');
    expect(await stage.run(...place, '--no-conversation')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('first');
    expect((await stage.api.sessions()).items).toHaveLength(1);
    const fork = JSON.parse((await stage.run(...place.slice(0, -1), '--json')).stdout);
    await stage.run('run', '--session', fork.id, 'say on');
    const asked = JSON.stringify(stage.model.requests.at(-1)?.body);
    expect([asked.includes('note.txt first'), asked.includes('note.txt second')]).toEqual([true, false]);
  });
});
