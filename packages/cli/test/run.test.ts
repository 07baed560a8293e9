import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

const AGENT = ['--agent', 'signalbox-agent'];

describe('signalbox run', { timeout: 120_000 }, () => {
  it('[CL8] shows what the agent does, and its exit code says how the turn went', async () => {
    const stage = await HubStage.start();
    const good = await stage.run('run', ...AGENT, '--title', 'A greeting', 'say good morning');
    expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/^good morning\n✓ /) });
    const [session] = (await stage.api.sessions()).items;
    expect(session).toMatchObject({ title: 'A greeting', folder: stage.project });
    await fetch(`${stage.model.url}/_signalbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'status', status: 400 }),
    });
    const bad = await stage.run('run', '--session', session?.id.slice(0, 6) ?? '', 'say not this time');
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ ') });
    expect((await stage.api.sessions()).items.length).toBe(1);
  });

  it('[CL9] with --json gives the messages of the turn as the agent said them', async () => {
    const stage = await HubStage.start();
    const { code, stdout } = await stage.run('run', ...AGENT, '--json', 'say', 'good', 'evening');
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages[0]).toMatchObject({ type: 'system', subtype: 'init' });
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'good evening' });
  });

  it('[CL10] with --detach says which session it is, and the agent does its work', async () => {
    const stage = await HubStage.start();
    const { code, stdout } = await stage.run('run', ...AGENT, '--detach', 'say on my own');
    expect(code).toBe(0);
    const session = stdout.trim();
    for (;;) {
      const { entries } = await stage.api.events(session);
      if (JSON.stringify(entries).includes('"result":"on my own"')) break;
      await pause(100);
    }
  });

  it('[CL11] without a terminal waits for somebody elsewhere, and with --yes for nobody', async () => {
    const stage = await HubStage.start();
    const running = stage.run('run', ...AGENT, 'run touch waited');
    const { session, requestId } = await stage.openAsk();
    expect(existsSync(join(stage.project, 'waited'))).toBe(false);
    await (await stage.ada()).answer(session, requestId, { behavior: 'allow' });
    const waited = await running;
    expect(waited).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('waits: answer in the browser'),
    });
    expect(waited.stderr).toContain('answered by Ada on phone: allow');
    expect(waited.stdout).toContain('● Bash touch waited');
    expect(existsSync(join(stage.project, 'waited'))).toBe(true);
    expect(await stage.run('run', '--session', session, '--yes', 'run touch allowed')).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(stage.project, 'allowed'))).toBe(true);
  });

  it('[CL12] in a terminal asks there: yes, no with a reason, a choice, and what somebody else answers', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    const yes = await stage.open('run', '--session', session, 'run touch agreed');
    await yes.see('Allow Bash?');
    await yes.press('y', 'Enter');
    await yes.see('exit code 0');
    expect(existsSync(join(stage.project, 'agreed'))).toBe(true);
    const no = await stage.open('run', '--session', session, 'run touch refused');
    await no.see('Allow Bash?');
    await no.say('not on a Sunday');
    await no.see('exit code 0');
    expect(await no.all()).toContain('not on a Sunday');
    expect(existsSync(join(stage.project, 'refused'))).toBe(false);
    const options = [
      { label: 'Red', description: 'stop' },
      { label: 'Green', description: 'go' },
    ];
    const question = {
      questions: [{ question: 'Which signal?', header: 'Signal', options, multiSelect: false }],
    };
    const choice = await stage.open(
      'run',
      '--session',
      session,
      `call AskUserQuestion ${JSON.stringify(question)}`,
    );
    await choice.see('2 Green: go');
    await choice.press('2', 'Enter');
    await choice.see('exit code 0');
    expect(await choice.all()).toMatch(/"Which signal\?"="Green"/);
    const other = await stage.open('run', '--session', session, 'run touch elsewhere');
    await other.see('Allow Bash?');
    const { requestId } = await stage.openAsk();
    await (await stage.ada()).answer(session, requestId, { behavior: 'allow' });
    await other.see('answered by Ada on phone: allow');
    await other.see('exit code 0');
  });

  it('[CL13] is stopped by Ctrl-C with exit code 130, also at a question, and left by a second one', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    const pane = await stage.open('run', '--session', session, 'slow 1000');
    await pane.see('w5');
    await pane.press('C-c');
    await pane.see('exit code 130');
    expect((await pane.all()).split('w0 w1').length).toBe(2);
    const asked = await stage.open('run', '--session', session, 'run touch stopped');
    await asked.see('Allow Bash?');
    await asked.press('C-c');
    await asked.see('exit code 130');
    expect(existsSync(join(stage.project, 'stopped'))).toBe(false);
    const left = await stage.open('run', '--session', session, 'slow 1000');
    await left.see('w5');
    await stage.killHub();
    await left.see('trying again');
    await left.press('C-c');
    await left.see('exit code 130');
    expect(await left.all()).toContain(`signalbox attach ${session.slice(0, 8)}`);
    await stage.startHub();
  });

  it('[CL26] waits for the end of a turn that runs, and Ctrl-C then takes the prompt back: nothing is allowed or stopped for others', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    await stage.api.prompt(session, { clientId: 'p', content: 'run sleep 600' });
    await stage.openAsk();
    const pane = await stage.open('run', '--yes', '--session', session, 'say too late');
    await pane.see('another turn is running');
    await pane.press('C-c');
    await pane.see('exit code 130');
    expect((await stage.api.session(session)).state).toBe('asking');
    expect(await stage.api.call('GET', `/api/sessions/${session}/prompts`)).toEqual({ items: [] });
  });

  it('[CL14] goes on through a hub that is killed: what was shown is not shown again', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    const pane = await stage.open('run', '--session', session, 'slow 300');
    await pane.see('w20');
    await stage.killHub();
    await pane.see('trying again');
    await stage.startHub();
    await pane.see('exit code 0');
    const words = (await pane.all()).match(/\bw\d+/g)?.map((word) => Number(word.slice(1)));
    expect(words).toEqual(Array.from({ length: 300 }, (_, at) => at));
  });

  it('[CL15] says why an agent did not start, and when it ends by itself', async () => {
    const stage = await HubStage.start();
    const nowhere = await stage.run('run', ...AGENT, '--folder', 'no/such/folder', 'say hello');
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no/such/folder') });
    const gone = await stage.run('run', ...AGENT, '--yes', 'run kill -9 $PPID');
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('the agent has ended') });
  });
});
