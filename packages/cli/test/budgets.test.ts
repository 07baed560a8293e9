import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('budgets and spend from a terminal', () => {
  it('[CL1964] a budget is added, reached by a real agent, raised and removed; run says why a prompt does not go, and spend what it came to', async () => {
    const stage = await HubStage.start();
    expect((await stage.run('budgets')).stdout).toMatch(/^No budgets: agents may spend what they like\./);
    expect((await stage.run('spend')).stdout).toBe('Nothing was spent.\n');
    const added = await stage.run('budgets', 'add', '--tokens', '1');
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^added \w{8} the whole hub, day: 0 of 1 tokens spent\n$/),
    });
    const id = added.stdout.split(' ')[1] ?? '';
    const agent = ['--agent', 'signalbox-agent'];
    // The reply that uses it up is said to its end, or to where it was when it did.
    const first = await stage.run('run', ...agent, 'say hello');
    expect(first.stderr + first.stdout).toContain('The budget of this hub, 1 token a day:');
    const [session] = (await stage.api.sessions()).items;
    const held = await stage.run('run', '--session', session?.id ?? '', 'say more');
    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining(`signalbox budgets raise ${id}`) });
    expect(await stage.api.waitingPrompts(session?.id ?? '')).toEqual([]);
    expect((await stage.run('budgets')).stdout).toMatch(
      /\n\w{8} +the whole hub +day +[\d,]+ of 1 tokens +reached\n$/,
    );
    const allowed = await stage.run('budgets', 'allow', session?.id ?? '');
    expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining('one more turn') });
    expect(await stage.run('run', '--session', session?.id ?? '', 'say again')).toMatchObject({ code: 0 });
    expect((await stage.run('budgets', 'raise', id, '--tokens', '2m')).stdout).toMatch(
      /of 2,000,000 tokens spent\n$/,
    );
    expect(await stage.run('run', '--session', session?.id ?? '', 'say last')).toMatchObject({ code: 0 });
    const { items, total } = JSON.parse((await stage.run('spend', '--by', 'person', '--json')).stdout);
    expect(total.turns).toBeGreaterThanOrEqual(3);
    expect(items).toMatchObject([{ key: expect.any(String), usd: total.usd }]);
    expect(total.usd).toBeGreaterThan(0);
    const table = await stage.run('spend', '--by', 'model', '--since', '1d');
    expect(table.stdout).toMatch(/^WHAT +COST +TURNS +INPUT +OUTPUT +CACHED\nclaude-\S+ +\$0\.\d{4} +/);
    expect((await stage.run('budgets', 'rm', id)).stdout).toMatch(/^removed /);
    // Nobody pays for a script.
    await stage.run('run', '--agent', 'scripted', 'hello');
    const byFolder = JSON.parse((await stage.run('spend', '--by', 'session', '--json')).stdout);
    const [{ id: scripted } = { id: '' }] = (await stage.api.sessions()).items;
    expect(byFolder.items.find(({ key }: { key: string }) => key === scripted)?.usd ?? 0).toBe(0);
  });

  it('[CL1965] what is no budget, or a wrong command line, is said with an exit code of its own', async () => {
    const stage = await HubStage.start();
    for (const words of [
      ['budgets', 'add'],
      ['budgets', 'add', '--usd', '0'],
      ['budgets', 'add', '--usd', 'five'],
      ['budgets', 'add', '--usd=-5'],
      ['budgets', 'add', '--tokens', '1.5'],
      ['budgets', 'add', '--usd', '1', '--per', 'week'],
      ['budgets', 'raise', 'x'],
      ['budgets', 'grow', 'x', '--usd', '1'],
      ['spend', '--by', 'colour'],
      ['spend', '--since', 'lately'],
      ['spend', 'x'],
    ])
      expect(await stage.run(...words), words.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(await stage.run('budgets', 'rm', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No budget's id begins with nothing"),
    });
    expect(await stage.run('budgets', 'add', '--usd', '1', '--folder', './no-such')).toMatchObject({
      code: 1,
    });
  });
});
