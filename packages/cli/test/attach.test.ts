import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pickSession } from '../src/hub/pick-session.ts';
import { HubStage } from './hub-stage.ts';

const startHub = HubStage.ofFile();

describe('signalbox attach', () => {
  it('[CL18] shows what was said before, and what is said by others and here', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    await stage.run('run', '--session', session, 'say the past');
    const pane = await stage.open('attach');
    await pane.see('● the past');
    await pane.say('say from the terminal');
    await pane.see('● from the terminal');
    await stage.api.prompt(session, { clientId: 'p', content: 'say from the browser' });
    await pane.see('❯ say from the browser');
    await pane.see('● from the browser');
    const screen = await pane.all();
    for (const prompt of ['the past', 'from the terminal', 'from the browser'])
      expect(screen.split(`❯ say ${prompt}`).length).toBe(2);
    await pane.press('C-d');
    await pane.see('exit code 0');
    expect(await pane.all()).toContain(`signalbox.js attach ${session.slice(0, 8)}`);
    expect((await stage.api.session(session)).state).toBe('idle');
  });

  it('[CL630] without an id sits down where somebody is asked, then where an agent is, whatever changed last', async () => {
    const stage = await startHub();
    const asks = await stage.launch();
    await stage.api.prompt(asks, { clientId: 'p', content: 'run touch here' });
    const { requestId } = await stage.openAsk();
    const ready = await stage.launch();
    await stage.run('run', '--session', ready, 'say ready');
    const ended = await stage.launch();
    await stage.run('run', '--session', ended, 'say the end');
    await stage.api.stop(ended);
    expect((await pickSession(stage.api, undefined)).id).toBe(asks);
    await stage.api.answer(asks, requestId, { behavior: 'deny', message: 'no' });
    await stage.api.stop(asks);
    expect((await pickSession(stage.api, undefined)).id).toBe(ready);
  });

  it('[CL19] asks for permissions, takes back what somebody else answered, and interrupts', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    await stage.api.prompt(session, { clientId: 'p', content: 'run touch here' });
    await stage.openAsk();
    const pane = await stage.open('attach', session.slice(0, 8));
    await pane.asked('Allow Bash?');
    await pane.press('1');
    await pane.see('done:');
    expect(existsSync(join(stage.project, 'here'))).toBe(true);
    await pane.say('run touch there');
    await pane.asked('Allow Bash?');
    const { requestId } = await stage.openAsk();
    await (await stage.ada()).answer(session, requestId, { behavior: 'allow' });
    await pane.see('answered by Ada on phone: allow');
    await pane.see((screen) => !screen.includes('Allow Bash?') && screen.split('done:').length === 3);
    await pane.say('slow 5000');
    await pane.see('w5');
    await pane.press('Escape');
    await pane.see('Stopped.');
  });

  it('[CL20] keeps what is sent while the hub is away, and shows nothing twice when it is back', async () => {
    const stage = await startHub();
    await stage.launch();
    const pane = await stage.open('attach');
    await pane.see('What shall we do?');
    await pane.say('slow 200');
    await pane.see('w20');
    await stage.killHub();
    await pane.see('trying again');
    await stage.startHub();
    await pane.see('w199');
    const words = (await pane.all()).match(/\bw\d+/g)?.map((word) => Number(word.slice(1)));
    expect(words).toEqual(Array.from({ length: 200 }, (_, at) => at));
    await stage.killHub();
    await pane.see((screen) => screen.split('trying again').length === 3);
    await pane.say('say kept for you');
    await stage.startHub();
    await pane.see('● kept for you');
  });

  it('[CL31] does not look as if an agent worked that has ended, is out of reach, or whose hub is away', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    await stage.api.prompt(session, { clientId: 'p', content: 'slow 20000' });
    const pane = await stage.open('attach', session);
    await pane.see('w5');
    await stage.killHub();
    await pane.see('! The hub is away');
    expect(await pane.screen()).not.toContain('Working');
    const [bridge = 0] = await stage.bridges();
    process.kill(bridge, 'SIGSTOP');
    onTestFinished(() => void (isRunning(bridge) && process.kill(bridge, 'SIGCONT')));
    await stage.startHub();
    await pane.see('! The agent is not connected; prompts wait for it.');
    const second = await stage.open('attach', session);
    const away = await second.see('! The agent is not connected; prompts wait for it.');
    expect(away).not.toContain('Working');
    await second.say('say what waits');
    await second.see('The prompt is queued');
    process.kill(bridge, 'SIGCONT');
    await second.see('Working');
    await stage.api.stop(session);
    await second.see(' ended the agent; a prompt starts it again.');
    const late = await stage.open('attach', session);
    const ended = await late.see(' ended the agent; a prompt starts it again');
    expect(ended).not.toContain('Working');
  });

  it('[CL33] keeps a reason that is being typed when somebody else answers, and says who, on the same machine too', async () => {
    const stage = await startHub();
    const session = await stage.launch();
    const pane = await stage.open('attach', session);
    await pane.see('What shall we do?');
    await pane.say('run touch here');
    await pane.asked('Allow Bash?');
    await pane.press('3');
    await pane.see('Why not?');
    await pane.type('because it is');
    await pane.see('because it is');
    const { requestId } = await stage.openAsk();
    await stage.api.answer(session, requestId, { behavior: 'allow' });
    await pane.see(`on ${hostname()}: allow`);
    await pane.type(' Sunday');
    await pane.see('❯ because it is Sunday');
    await pane.press('Enter');
    await pane.see('Enter again sends it as a prompt');
    await pane.see('❯ because it is Sunday');
    expect(JSON.stringify((await stage.api.events(session)).entries)).not.toContain('because');
  });

  it('[CL283] without a terminal says what works there', async () => {
    const stage = await startHub();
    const session = await stage.launch('Here');
    const { code, stderr } = await stage.run('attach');
    expect(code).toBe(1);
    const [, ...words] = /(signalbox\.js) (run --session \S+)/.exec(stderr)?.slice(1) ?? [];
    expect(words[0]).toBe(`run --session ${session.slice(0, 8)}`);
    const advised = await stage.run(...(words[0]?.split(' ') ?? []), 'say it works');
    expect(advised.stdout).toBe('it works\n');
  });

  it('[CL21] says which session it cannot find, and that the agent has ended', async () => {
    const stage = await startHub();
    const none = await stage.open('attach', 'nothing-like-it');
    await none.see("No session's id begins with nothing-like-it");
    await none.see('exit code 1');
    const session = await stage.launch();
    const pane = await stage.open('attach', session);
    await pane.see('What shall we do?');
    await stage.api.stop(session);
    await pane.see(' ended the agent; a prompt starts it again.');
    await pane.say('say back again');
    await pane.see('● back again');
  });
});
