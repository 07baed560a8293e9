import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('rules from a terminal', () => {
  it('[CL1747] are added, listed, tested against what was asked, proposed and removed; a real agent is answered by one', async () => {
    const stage = await HubStage.start();
    expect((await stage.run('rules')).stdout).toMatch(/^No rules: people are asked everything\./);
    const test = ['rules', 'test', 'Bash(touch:*)'];
    expect(await stage.run(...test, '--allow')).toMatchObject({
      code: 0,
      stdout: 'It would have allowed 0 calls and there were no denials.\n',
    });
    const added = await stage.run('rules', 'add', 'Bash(touch:*)', '--allow', '--folder', '.');
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^added \w{8} allow Bash\(touch:\*\) \//),
    });
    const turn = await stage.run('run', '--agent', 'signalbox-agent', 'run touch made-by-rule');
    expect(turn.code).toBe(0);
    const [rule] = JSON.parse((await stage.run('rules', '--json')).stdout);
    expect(rule).toMatchObject({ rule: 'Bash(touch:*)', behavior: 'allow', isStored: true });
    const [session] = JSON.parse((await stage.run('sessions', '--json')).stdout);
    const { items } = await stage.api.ask('GET /api/audit', { query: { session: session.id } });
    expect(items.find(({ what }) => what === 'allow')).toMatchObject({
      author: { by: 'hub', rule: 'Bash(touch:*)', ruleId: rule.id },
    });
    expect((await stage.run(...test, '--allow')).stdout).toBe(
      'It would have allowed 1 call and there were no denials.\n' +
        `    Bash touch made-by-rule (allowed by the rule Bash(touch:*), session ${session.id.slice(0, 8)})\n`,
    );
    expect(await stage.run(...test, '--deny')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('  ✗ Bash touch made-by-rule'),
    });
    expect((await stage.run('rules', 'suggest')).stdout).toMatch(/^Nothing to propose/);
    const listed = await stage.run('rules', '--session', session.id.slice(0, 8));
    expect(listed.stdout).toMatch(/^ID +DOES +RULE +WHERE +BY\n\w{8} +allow +Bash\(touch:\*\)/);
    // A stronger one, which leaves the first without an effect.
    const denied = await stage.run('rules', 'add', 'Bash(touch:*)', '--deny');
    expect(denied.stdout).toMatch(/\n {2}no effect any more: \w{8} allow Bash\(touch:\*\)/);
    for (const id of [rule.id.slice(0, 8), denied.stdout.split(' ')[1] ?? ''])
      expect((await stage.run('rules', 'rm', id)).stdout).toMatch(/^removed /);
    expect((await stage.run('rules')).stdout).toMatch(/^No rules/);
  });

  it('[CL1748] what is wrong with a rule or with the command line is said, with an exit code of its own', async () => {
    const stage = await HubStage.start('--auto-approve');
    for (const words of [
      ['add', 'Read'],
      ['add', 'Read', '--allow', '--deny'],
      ['add', '--allow'],
      ['forget', 'x'],
      ['suggest', 'x'],
      ['test', 'Bash(npm', 'test:*)', '--allow'],
    ])
      expect(await stage.run('rules', ...words)).toMatchObject({ code: 2, stdout: '' });
    expect(await stage.run('rules', 'add', 'Bash(', '--allow')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('docs/POLICY.md'),
    });
    expect(await stage.run('rules', 'rm', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No rule's id begins with nothing"),
    });
    // The one of the command line is a rule like any other.
    expect((await stage.run('rules')).stdout).toMatch(/\nauto-approve +allow +\* +everywhere +the hub\n$/);
    await stage.run('rules', 'add', 'Bash(rm:*)', '--deny');
    const turn = await stage.run('run', '--agent', 'signalbox-agent', 'run rm -f nothing');
    const { items } = await stage.api.ask('GET /api/audit');
    expect(items.find(({ what }) => what === 'deny')).toMatchObject({ author: { rule: 'Bash(rm:*)' } });
    expect(turn.code).toBe(0);
    expect((await stage.run('rules', 'rm', 'auto')).stdout).toMatch(/^removed auto-app/);
    expect((await stage.run('rules')).stdout).not.toContain('auto-approve');
  });
});
