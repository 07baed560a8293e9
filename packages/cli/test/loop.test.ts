import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HubStage, runSignalbox } from './hub-stage.ts';
import { LateSocketProxy } from './late-socket-proxy.ts';

const AGENT = ['--agent', 'signalbox-agent'];

describe('signalbox loop', () => {
  it('[CL1150] shows each iteration in a terminal, sums them up, and exits with 0 when it is done', async () => {
    const stage = await HubStage.start();
    const until = ['--until-command', 'test "$(wc -l < log)" -ge 2'];
    const pane = await stage.open('loop', ...AGENT, '--yes', ...until, 'run echo x >> log');
    await pane.see('exit code 0');
    const text = await pane.all();
    for (const words of [
      'iteration 1/10, session',
      'iteration 2/10, session',
      '1/10 · went well',
      '2/10 · the condition is met',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/done · 2 of 10 iterations · 4 turns/);
    expect(readFileSync(join(stage.project, 'log'), 'utf8')).toBe('x\nx\n');
    const { items } = await stage.api.sessions();
    expect(items.map(({ title, state }) => [title, state])).toEqual([
      ['run echo x >> log · 2/10', 'exited'],
      ['run echo x >> log · 1/10', 'exited'],
    ]);
  });

  it('[CL1150] exits with 1 at a limit or after failures and with 2 for wrong use, in clear words', async () => {
    const stage = await HubStage.start();
    const limit = await stage.run(
      'loop',
      ...AGENT,
      '--max-iterations',
      '1',
      '--until-text',
      'never',
      'say hi',
    );
    expect(limit).toMatchObject({ code: 1, stdout: 'hi\n' });
    expect(limit.stderr).toContain('limit · 1 of 1 iteration');
    expect(limit.stderr).toContain('The condition did not come in 1 iteration.');
    for (const [words, problem] of [
      [['--max-iterations', '0', 'x'], 'takes a whole number above zero'],
      [['--max-iterations', 'many', 'x'], 'takes a whole number above zero'],
      [['--budget-usd', '-3', 'x'], 'argument is ambiguous'],
      [['--budget-usd=-3', 'x'], 'takes an amount above zero'],
      [['--until-text', ' ', 'x'], '--until-text is empty'],
      [['--agent', 'nobody', 'x'], 'nobody is no agent'],
      [['--mode', 'reckless', 'x'], 'reckless is no mode'],
      [['--prompt-file', 'p.md', 'x'], 'and not both'],
      [[], 'Say what is to be done'],
    ] as const) {
      const { code, stderr } = await stage.run('loop', ...words);
      expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringContaining(problem) });
    }
    const file = await stage.run('loop', ...AGENT, '--prompt-file', 'none.md');
    expect(file).toMatchObject({ code: 1, stderr: expect.stringContaining('none.md') });
    expect((await stage.api.loops()).items).toHaveLength(1);
  });

  it('[CL1150] shows iterations that were over before their terminal heard of any of them', async () => {
    const stage = await HubStage.start();
    const proxy = await LateSocketProxy.start(stage.port);
    const options = [...AGENT, '--max-iterations', '2', '--until-text', 'never'];
    // The token of this machine would not be sent to another address.
    const { token } = await stage.api.ask('POST /api/devices', {
      body: { person: 'Ada', name: 'laptop', scope: 'admin' },
    });
    const env = { ...stage.env, SIGNALBOX_TOKEN: token };
    const shown = runSignalbox(env, stage.project, 'loop', '--hub', proxy.url, ...options, 'say hi');
    const isOver = async (): Promise<boolean> => (await stage.api.loops()).items[0]?.state === 'ended';
    while (!(await isOver())) await pause(20);
    proxy.letThrough();
    expect(await shown).toMatchObject({ code: 1, stdout: 'hi\nhi\n' });
    expect((await shown).stderr).toMatch(
      /iteration 1\/2[^]*1\/2 · went well[^]*iteration 2\/2[^]*limit · 2 of 2/,
    );
  });

  it('[CL1151] Ctrl-C ends the turn and then the loop', async () => {
    const stage = await HubStage.start();
    const pane = await stage.open('loop', ...AGENT, '--yes', 'run touch begun; sleep 600');
    while (!existsSync(join(stage.project, 'begun'))) await pause(50);
    await pane.press('C-c');
    await pane.see('exit code 130');
    expect(await pane.all()).toContain('stopping: the turn first, then the loop');
    const [loop] = (await stage.api.loops()).items;
    expect(loop).toMatchObject({ state: 'ended', end: 'stopped', iteration: 1 });
    expect(await stage.bridges()).toEqual([]);
  });

  it('[CL1152] goes on in its terminal across a hub that is killed', async () => {
    const stage = await HubStage.start();
    const wait = 'echo x >> log; until test -f "go-$(wc -l < log)"; do sleep 0.1; done';
    const pane = await stage.open('loop', ...AGENT, '--yes', '--max-iterations', '2', `run ${wait}`);
    const runs = (): number =>
      existsSync(join(stage.project, 'log'))
        ? readFileSync(join(stage.project, 'log'), 'utf8').length / 2
        : 0;
    while (runs() < 1) await pause(50);
    await stage.killHub();
    await pane.see('the connection to the hub is lost');
    writeFileSync(join(stage.project, 'go-1'), '');
    await stage.startHub();
    while (runs() < 2) await pause(50);
    writeFileSync(join(stage.project, 'go-2'), '');
    await pane.see('exit code 0');
    expect(await pane.all()).toMatch(/done · 2 of 2 iterations/);
    expect(runs()).toBe(2);
  });

  it('[CL1591] comes to each of its ends in a terminal, across a hub that is killed', async () => {
    const stage = await HubStage.start();
    const wait = (name: string): string =>
      `run touch ${name}; until test -f go; do sleep 0.1; done; echo said by ${name}`;
    const begin = (name: string, ...words: string[]) =>
      stage.open('loop', ...AGENT, '--yes', ...words, wait(name));
    const file = join(stage.project, 'task.md');
    writeFileSync(file, wait('failed'));
    const panes = {
      done: await begin('done', '--until-command', 'test -f go'),
      limit: await begin('limit', '--until-text', 'never', '--max-iterations', '1'),
      failed: await stage.open('loop', ...AGENT, '--yes', '--prompt-file', file),
      stopped: await begin('stopped'),
    };
    const words = ['--until-text', 'never', '--budget-usd', '0.000001', 'say it'];
    const budget = await stage.open('loop', ...AGENT, '--yes', ...words);
    await budget.see('exit code 1');
    expect(await budget.all()).toMatch(/limit · 1 of 10 iterations[^]*are spent after 1 iteration/);
    const names = Object.keys(panes);
    while (!names.every((name) => existsSync(join(stage.project, name)))) await pause(50);
    await stage.killHub();
    await Promise.all(Object.values(panes).map((pane) => pane.see('the connection to the hub is lost')));
    rmSync(file);
    await stage.startHub();
    await panes.stopped.press('C-c');
    await panes.stopped.see('exit code 130');
    writeFileSync(join(stage.project, 'go'), '');
    await panes.done.see('exit code 0');
    await panes.limit.see('exit code 1');
    await panes.failed.see('exit code 1');
    expect(await panes.done.all()).toMatch(/done · 1 of 10 iterations/);
    expect(await panes.limit.all()).toContain('The condition did not come in 1 iteration.');
    expect(await panes.failed.all()).toMatch(/failed · 1 of 10 iterations[^]*task\.md/);
    expect(await stage.bridges()).toEqual([]);
  });

  it('[CL1153] loops are listed, watched, paused, resumed, stopped and forgotten by the start of their ids', async () => {
    const stage = await HubStage.start();
    expect((await stage.run('loops')).stdout).toContain('No loops.');
    const wait = 'run echo x >> log; until test -f "go-$(wc -l < log)"; do sleep 0.1; done';
    const begun = await stage.run('loop', ...AGENT, '--yes', '--detach', '--title', 'chores', wait);
    expect(begun.code).toBe(0);
    const id = begun.stdout.trim().slice(0, 8);
    expect((await stage.run('loops')).stdout).toMatch(/running +\d\/10 .*chores/);
    while (!existsSync(join(stage.project, 'log'))) await pause(50);
    expect((await stage.run('loops', 'pause', id)).stdout).toContain('pauses after this iteration');
    writeFileSync(join(stage.project, 'go-1'), '');
    while ((await stage.api.loop(begun.stdout.trim())).state !== 'paused') await pause(50);
    const watched = stage.run('loops', 'watch', '--json', id);
    expect((await stage.run('loops', 'resume', id)).stdout).toContain('running');
    expect((await stage.run('loops', 'stop', id)).code).toBe(0);
    const { code, stdout } = await watched;
    expect(code).toBe(130);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: 'loop', end: 'stopped', spec: { title: 'chores' } });
    expect(lines.some(({ type, number }) => type === 'iteration' && number === 1)).toBe(true);
    expect((await stage.run('loops', 'rm', id)).stdout).toContain('forgot');
    expect(await stage.run('loops', 'pause', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No loop'),
    });
    expect((await stage.run('loops', 'dance', id)).code).toBe(2);
  });

  it('[CL1590] a loop that runs is changed, and sessions of a loop stand together', async () => {
    const stage = await HubStage.start();
    const wait = 'run echo x >> log; until test -f "go-$(wc -l < log)"; do sleep 0.1; done';
    const rules = ['--max-iterations', '9', '--until-text', 'never', '--budget-usd', '3'];
    const begun = await stage.run('loop', ...AGENT, '--yes', '--detach', '--title', 'chores', ...rules, wait);
    const id = begun.stdout.trim();
    const edit = (...words: string[]) => stage.run('loops', 'edit', id.slice(0, 8), ...words);
    while (!existsSync(join(stage.project, 'log'))) await pause(50);
    await stage.launch('apart');
    const changed = await edit('--max-iterations', '2', '--no-until-text', '--no-budget-usd', wait);
    expect(changed).toMatchObject({ code: 0, stdout: `${id.slice(0, 8)}: running, 1/2\n` });
    const { spec } = await stage.api.loop(id);
    expect(spec).toMatchObject({ maxIterations: 2, prompt: wait, title: 'chores', allowAll: true });
    expect(spec).not.toHaveProperty('untilText');
    expect(spec).not.toHaveProperty('budgetUsd');
    const seconds = JSON.parse((await edit('--json', '--until-seconds', '5', '--pause-on-failure')).stdout);
    expect(seconds.spec).toMatchObject({ untilSeconds: 5, pauseOnFailure: true });
    for (const [words, problem] of [
      [[], 'Say what is to be changed'],
      [['--max-iterations', '0'], 'takes a whole number above zero'],
      [['--until-text', 'x', '--no-until-text'], 'contradict each other'],
      [['--prompt-file', 'p.md', 'and words'], 'and not both'],
    ] as const)
      expect(await edit(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
    const strange = await stage.run('loops', 'pause', id, '--title', 'x');
    expect(strange).toMatchObject({ code: 2, stderr: expect.stringContaining('--title is for loops edit') });
    for (const number of [1, 2]) writeFileSync(join(stage.project, `go-${number}`), '');
    while ((await stage.api.loop(id)).state !== 'ended') await pause(50);
    expect(await edit('--title', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has ended'),
    });
    const titles = (await stage.run('sessions')).stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => /(?:└ )?(?:chores · \d\/\d|apart)/.exec(line)?.[0]);
    expect(titles).toHaveLength(3);
    expect(titles.at(titles.indexOf('chores · 2/2') + 1)).toBe('└ chores · 1/9');
  });
});
