import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isJsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { HubStage, SIGNALBOX } from './hub-stage.ts';

const AGENT = ['--agent', 'signalbox-agent'];

const startHub = HubStage.ofFile();

describe('signalbox run', () => {
  it('[CL8] shows what the agent does, and its exit code says how the turn went', async () => {
    const stage = await startHub();
    const good = await stage.run('run', ...AGENT, '--title', 'A greeting', 'say good morning');
    expect(good).toMatchObject({
      code: 0,
      stdout: 'good morning\n',
      stderr: expect.stringMatching(/^✓ 1 turn, /),
    });
    const [session] = (await stage.api.sessions()).items;
    expect(session).toMatchObject({ title: 'A greeting', folder: stage.project });
    await fetch(`${stage.model.url}/_signalbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'status', status: 400 }),
    });
    const bad = await stage.run('run', '--session', session?.id.slice(0, 6) ?? '', 'say not this time');
    expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('✗ ') });
    expect((await stage.api.sessions()).items.length).toBe(1);
  });

  it('[CL816] has what is piped in where - stands, after the words beside it', async () => {
    const stage = await startHub();
    const given = promisify(execFile)(process.execPath, [SIGNALBOX, 'run', ...AGENT, 'say good', '-'], {
      env: stage.env,
      cwd: stage.project,
    });
    given.child.stdin?.end('night\n');
    expect((await given).stdout).toBe('good\n\nnight\n');
    const nothing = promisify(execFile)(process.execPath, [SIGNALBOX, 'run', '-'], { env: stage.env });
    nothing.child.stdin?.end(' \n');
    await expect(nothing).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Say what is to be done'),
    });
  });

  it('[CL9] with --json gives the messages of the turn as the agent said them', async () => {
    const stage = await startHub();
    const { code, stdout } = await stage.run('run', ...AGENT, '--json', 'say', 'good', 'evening');
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [first] = messages.filter(({ type }) => type !== 'command_lifecycle');
    expect(first).toMatchObject({ type: 'system', subtype: 'init' });
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'good evening' });
  });

  it('[CL282] in a terminal shows Markdown as the chat does, wraps at words, and shows what is written', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    const words = 'somewhat longer words that have to be wrapped at the edge of a terminal';
    const text = `# Signals\n\n- **red** stops\n- green goes\n\n${words}`;
    const pane = await stage.openAt(40, 'run', '--session', session, `say ${text}`);
    const screen = await pane.see('exit code 0');
    expect(screen).toContain('• red stops');
    expect(screen).not.toMatch(/\*\*|# Signals/);
    for (const word of words.split(' ')) expect(screen).toMatch(new RegExp(`\\b${word}\\b`));
    const content = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
    const write = `call Write ${JSON.stringify({ file_path: join(stage.project, 'new.txt'), content })}`;
    const asked = await stage.open('run', '--session', session, write);
    await asked.see('Allow Write?');
    const shown = await asked.all();
    expect(shown).toContain('new.txt');
    for (const line of content.split('\n')) expect(shown).toContain(`+ ${line}`);
    await asked.press('y', 'Enter');
    await asked.see('exit code 0');
    expect(await asked.all()).toContain('12 lines written');
    const piped = await stage.run('run', '--session', session, `say ${text}`);
    expect(piped.stdout).toBe(`${text}\n`);
  });

  it('[CL10] with --detach says which session it is, and the agent does its work', async () => {
    const stage = await startHub();
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
    const stage = await startHub();
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
    const stage = await startHub();
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
    const red = await stage.open(
      'run',
      '--session',
      session,
      `call AskUserQuestion ${JSON.stringify(question)}`,
    );
    await red.see('2 Green: go');
    const asked = await stage.openAsk();
    const answers = { 'Which signal?': 'Red' };
    await (await stage.ada()).answer(session, asked.requestId, { behavior: 'allow', answers });
    await red.see('answered by Ada on phone: Red');
    await red.see('exit code 0');
    const other = await stage.open('run', '--session', session, 'run touch elsewhere');
    await other.see('Allow Bash?');
    const { requestId } = await stage.openAsk();
    await (await stage.ada()).answer(session, requestId, { behavior: 'allow' });
    await other.see('answered by Ada on phone: allow');
    await other.see('exit code 0');
  });

  it('[CL241] asks which of several things to keep, and keeps no other', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    writeFileSync(join(stage.home, 'outside'), 'what is outside');
    const pane = await stage.open('run', '--session', session, `read ${join(stage.home, 'outside')}`);
    await pane.see('Allow Read?');
    await pane.press('a', 'Enter');
    await pane.see('Always what?');
    await pane.see('1 work in');
    await pane.press('1', 'Enter');
    await pane.see('exit code 0');
    const asked = { subtype: 'list_permission_rules' };
    const rules = await stage.api.call('POST', `/api/sessions/${session}/control`, asked);
    expect(rules).toMatchObject({ allow: [] });
  });

  it('[CL391] takes no answer that was typed before the question was asked, and shows the command before what is said of it', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    const pane = await stage.open('run', '--session', session, 'run touch early');
    await pane.press('y', 'Enter');
    const asked = await pane.see('Allow Bash?');
    expect(asked).toMatch(/^touch early\nit says run it$/m);
    await pane.press('n', 'Enter');
    await pane.see('exit code 0');
    expect(existsSync(join(stage.project, 'early'))).toBe(false);
  });

  it('[CL390] shows no dollars for a script, nor does attach', async () => {
    const stage = await startHub();
    const { stderr } = await stage.run('run', '--agent', 'scripted', 'menu');
    expect(stderr).toMatch(/^✓ 1 turn, [\d.]+ s, scripted$/m);
    const [session] = (await stage.api.sessions()).items;
    const pane = await stage.open('run', '--session', session?.id ?? '', 'menu');
    await pane.see('exit code 0');
    expect(await pane.all()).toMatch(/✓ 1 turn · \d+s · scripted/);
    const seat = await stage.open('attach', session?.id ?? '');
    await seat.see((screen) => /scripted · asks first · \d+% full/.test(screen));
    await seat.say('menu');
    await seat.see((screen) => /% full · \d+s ·/.test(screen));
  });

  it('[CL13] is stopped by Ctrl-C with exit code 130, also at a question, and left by a second one', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    const pane = await stage.open('run', '--session', session, 'slow 5000');
    await pane.see('w5');
    await pane.press('C-c');
    await pane.see('exit code 130');
    expect((await pane.all()).split('w0 w1').length).toBe(2);
    expect(await pane.all()).toContain('■ interrupted');
    expect(await pane.all()).not.toContain('error_during_execution');
    const asked = await stage.open('run', '--session', session, 'run touch stopped');
    await asked.see('Allow Bash?');
    await asked.press('C-c');
    await asked.see('exit code 130');
    expect(existsSync(join(stage.project, 'stopped'))).toBe(false);
    const left = await stage.open('run', '--session', session, 'slow 5000');
    await left.see('w5');
    await stage.killHub();
    await left.see('trying again');
    await left.press('C-c');
    await left.see('exit code 130');
    expect(await left.all()).toContain(`signalbox.js attach ${session.slice(0, 8)}`);
    await stage.startHub();
  });

  it('[CL13] says nothing of a connection that it cut itself', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    const pane = await stage.open('run', '--session', session, 'run touch asked');
    await pane.see('Allow Bash?');
    await pane.press('C-c', 'C-c');
    await pane.see('exit code 130');
    expect(await pane.all()).not.toContain('broke before it answered');
  });

  it('[CL1400] starts an agent of the hub that has ended again, with its conversation', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    await stage.run('run', '--session', session, 'say before');
    await stage.api.stop(session);
    const again = await stage.run('run', '--session', session, 'say after');
    expect(again).toMatchObject({ code: 0, stdout: 'after\n' });
  });

  it('[CL32] refuses a prompt for an agent that has ended and cannot be started, and says that one is out of reach', async () => {
    const stage = await startHub();
    await stage.run('bridge', '--session', 'gone', '--', process.execPath, '-e', '');
    expect((await stage.api.session('gone')).state).toBe('exited');
    const ended = await stage.run('run', '--session', 'gone', 'say nobody hears');
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('signalbox.js bridge --help') });
    expect(await stage.api.call('GET', '/api/sessions/gone/prompts')).toEqual({ items: [] });
    const { session: empty } = await stage.api.createSession({ title: 'Nobody has dialled in' });
    await stage.killHub();
    await stage.startHub();
    const pane = await stage.open('run', '--session', empty.id, 'say later');
    await pane.see('the agent is not connected; the prompt waits for it');
    await pane.press('C-c');
    await pane.see('exit code 130');
  });

  it('[CL34] shows what the turn has cost and not the session, and what commands say as it is', async () => {
    const stage = await startHub();
    const { stderr: first } = await stage.run('run', ...AGENT, 'say one');
    const [session] = (await stage.api.sessions()).items;
    const onTopic = ['--session', session?.id ?? ''];
    const { stderr: second } = await stage.run('run', ...onTopic, 'say two');
    const { entries } = await stage.api.events(session?.id ?? '');
    const totals = entries.flatMap(({ message }) =>
      isJsonObject(message) && message.type === 'result' ? [Number(message.total_cost_usd)] : [],
    );
    const [one = 0, both = 0] = totals;
    expect(one).toBeGreaterThan(0);
    expect(first).toContain(`$${one.toFixed(4)}`);
    expect(second).toContain(`$${(both - one).toFixed(4)}`);
    const { stdout, stderr } = await stage.run('run', ...onTopic, '/cost');
    expect(stdout).toMatch(/^\*\*Total cost:/);
    expect(stderr).toContain('$0.0000');
  });

  it('[CL26] waits for the end of a turn that runs, and Ctrl-C then takes the prompt back: nothing is allowed or stopped for others', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    await stage.api.prompt(session, { clientId: 'p', content: 'run touch asked' });
    await stage.openAsk();
    const pane = await stage.open('run', '--yes', '--session', session, 'say too late');
    await pane.see('another turn is running');
    await pane.press('C-c');
    await pane.see('exit code 130');
    expect((await stage.api.session(session)).state).toBe('asking');
    expect(await stage.api.call('GET', `/api/sessions/${session}/prompts`)).toEqual({ items: [] });
  });

  it('[CL14] goes on through a hub that is killed: what was shown is not shown again', async () => {
    const stage = await startHub();
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
    const stage = await startHub();
    const nowhere = await stage.run('run', ...AGENT, '--folder', 'no/such/folder', 'say hello');
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no/such/folder') });
    const gone = await stage.run('run', ...AGENT, '--yes', 'run kill -9 $PPID');
    expect(gone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the agent was ended by SIGKILL'),
    });
  });
});
