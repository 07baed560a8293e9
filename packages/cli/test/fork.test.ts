import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    expect(listed.stdout).toMatch(/^BEFORE +PROMPT\n\d+ +write .* first\n\d+ +write .* second\n$/);
    const [, second] = JSON.parse((await stage.run('fork', id, '--list', '--json')).stdout);
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
      [['--files'], '--before N'],
      [['--before', '3', '--dry-run'], 'about --files'],
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
});
