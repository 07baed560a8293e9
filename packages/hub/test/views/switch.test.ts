import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { endTerminals, gone } from '@signalbox/testing/hub/terminal-stage';
import { tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { ViewStage } from './view-stage.ts';

describe('a conversation that goes on in a terminal', () => {
  it('[VW1680] is the same there and back: its agent knows all, and the record has what was said, between two marks', async () => {
    const stage = await ViewStage.open();
    const { launch, id } = stage;
    const { agent } = await launch.agentOf(id);
    const { status, body } = await stage.change('terminal');
    expect([status, body]).toMatchObject([200, { state: 'terminal', view: 'terminal', exit: null }]);
    // One writer at a time.
    expect(() => process.kill(agent, 0)).toThrow('ESRCH');
    await stage.sayThere('two');
    const back = await stage.change('sdk');
    expect([back.status, back.body]).toMatchObject([200, { view: 'sdk', state: 'idle' }]);
    await stage.becomes({ state: 'idle' });
    await launch.prompt(id, 'say three');
    expect(await stage.said()).toEqual([
      '> say one',
      'one',
      '[terminal]',
      '> say two',
      'two',
      '[sdk]',
      '> say three',
      'three',
    ]);
    const asked = JSON.stringify(launch.model.requests.at(-1)?.body);
    expect(asked).toContain('say one');
    expect(asked).toContain('say two');
  });

  it('[VW1681] waits for the end of its turn, is called off, is moved once by two at a time, and takes no prompts there', async () => {
    const stage = await ViewStage.open();
    const { launch, id } = stage;
    const drive = await tokenFor(launch.store, { scope: 'drive', name: 'phone' });
    expect(await stage.change('terminal', {}, drive)).toMatchObject({ status: 403 });
    expect((await stage.change('sdk')).body).toMatchObject({ code: 'VIEW_UNCHANGED' });
    const say = (content: string) =>
      launch.call('POST', `/api/sessions/${id}/prompts`, { clientId: crypto.randomUUID(), content });
    await say('slow 100000');
    await stage.becomes({ state: 'active' });
    expect((await stage.change('terminal')).body).toMatchObject({ state: 'active', view: 'to-terminal' });
    const refused = await say('say no');
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'AGENT_IN_TERMINAL' }]);
    expect((await stage.change('terminal')).body).toMatchObject({ code: 'VIEW_UNCHANGED' });
    expect((await stage.change('sdk', {}, drive)).status).toBe(200);
    expect(await stage.becomes({ view: 'sdk' })).toMatchObject({ state: 'active' });
    await stage.change('terminal');
    await launch.call('POST', `/api/sessions/${id}/control`, { subtype: 'interrupt' });
    // The turn is over: it goes where it was meant to go.
    await stage.becomes({ state: 'terminal', view: 'terminal' });
    expect((await say('say no')).body).toMatchObject({ code: 'AGENT_IN_TERMINAL' });
    const screen = await stage.screen();
    const other = await stage.screen(drive);
    await screen.type('say here\r');
    await other.shows(/here[^]*here/);
    await other.type('say mine\r');
    await until(() => other.troubles.length > 0);
    expect(other.troubles).toEqual(['FORBIDDEN']);
    const { code } = (await launch.call('POST', `/api/sessions/${id}/restart`, {})).body;
    expect(code).toBe('AGENT_IN_TERMINAL');
    expect((await launch.call('DELETE', `/api/sessions/${id}`)).body.code).toBe('SESSION_CONNECTED');
    const both = await Promise.all([stage.change('sdk'), stage.change('sdk')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await stage.becomes({ state: 'idle', view: 'sdk' });
    expect(await stage.said()).not.toContain('> say no');
    const { items } = (await launch.call('GET', `/api/audit?session=${id}`)).body;
    const whats = items.map(({ what }: { what: string }) => what);
    expect(whats).toContain('continue in terminal');
    expect(whats).toContain('type in terminal');
    expect(whats).toContain('back from terminal');
  });

  it('[VW1682] survives the hub, which finds it again, and tells of its end when it has ended meanwhile or ends by itself', async () => {
    const stage = await ViewStage.open();
    const { launch, id } = stage;
    await stage.change('terminal');
    await stage.sayThere('two');
    const { port } = launch.hub;
    await launch.hub.close();
    // What a hub that was killed over the switch has left.
    await launch.store.sessions.update(id, { view: 'to-terminal' });
    await launch.startHub(port);
    await stage.becomes({ state: 'terminal', view: 'terminal' });
    await (await stage.screen()).shows('say two');
    await launch.hub.close();
    await endTerminals(launch.home);
    await launch.startHub(port);
    await stage.becomes({ state: 'exited', view: 'sdk' });
    expect(await stage.said()).toEqual(['> say one', 'one', '[terminal]', '> say two', 'two', '[sdk]']);
    // From its end it goes to a terminal again, where somebody leaves it.
    await stage.change('terminal');
    await (await stage.screen()).type('/exit\r');
    await stage.becomes({ state: 'exited', view: 'sdk' });
    await launch.prompt(id, 'say three');
    expect((await stage.said()).slice(-4)).toEqual(['[terminal]', '[sdk]', '> say three', 'three']);
    expect(JSON.stringify(launch.model.requests.at(-1)?.body)).toContain('say two');
    // Its process is killed: nothing of it stays.
    await stage.change('terminal');
    const { items } = (await launch.call('GET', `/api/sessions/${id}/terminals`)).body;
    const { pid } = items.at(-1);
    process.kill(pid, 'SIGKILL');
    await stage.becomes({ state: 'exited', view: 'sdk' });
    await gone(pid);
    expect((await launch.call('POST', `/api/sessions/${id}/stop`, {})).status).toBe(200);
  });

  it('[VW3700] has ended, with all that was said, when the hub was killed between the end of its terminal and its return', async () => {
    const stage = await ViewStage.open();
    const { launch, id } = stage;
    await stage.change('terminal');
    await stage.sayThere('two');
    const { port } = launch.hub;
    await launch.hub.close();
    await launch.store.sessions.update(id, { view: 'to-sdk' });
    await endTerminals(launch.home);
    await launch.startHub(port);
    await stage.becomes({ state: 'exited', view: 'sdk' });
    await launch.prompt(id, 'say three');
    expect((await stage.said()).slice(-5)).toEqual(['> say two', 'two', '[sdk]', '> say three', 'three']);
    // And one that was on its way to a terminal which never came.
    await launch.hub.close();
    await launch.store.sessions.update(id, { state: 'terminal', view: 'to-terminal' });
    await launch.startHub(port);
    await stage.becomes({ state: 'exited', view: 'sdk' });
  });

  it('[VW1683] is left as it is without its transcript, goes on with one that is broken, and says what it could not read', async () => {
    const stage = await ViewStage.open();
    const { launch, id } = stage;
    const file = await stage.transcript();
    const kept = readFileSync(file);
    const { agent } = await launch.agentOf(id);
    await stage.loseTranscript();
    const lost = await stage.change('terminal');
    expect([lost.status, lost.body]).toMatchObject([409, { code: 'TRANSCRIPT_NOT_FOUND' }]);
    expect(await stage.session()).toMatchObject({ state: 'idle', view: 'sdk' });
    expect(process.kill(agent, 0)).toBe(true);
    writeFileSync(file, kept);
    appendFileSync(file, '{"type":"user","mess\n\0\0\xff not json\n');
    expect((await stage.change('terminal')).status).toBe(200);
    await stage.sayThere('two');
    await stage.loseTranscript();
    expect((await stage.change('sdk')).status).toBe(200);
    const mark = (await launch.messagesOf(id)).findLast(({ subtype }) => subtype === 'view');
    expect(mark).toMatchObject({ view: 'sdk', resume: null, problem: expect.stringContaining('not there') });
    await launch.prompt(id, 'say three');
  });

  it('[VW1684] ends with the words of an agent that ends at once, and a prompt starts it again', async () => {
    const stage = await ViewStage.open();
    const { launch, id } = stage;
    const [, agent] = launch.setup.agents();
    if (!agent?.command) throw new Error('no agent');
    const { command } = agent;
    agent.command = ['/bin/sh', '-c', 'echo no screen today; exit 3', 'sh'];
    await stage.change('terminal');
    const { exit } = await stage.becomes({ state: 'exited', view: 'sdk' });
    expect(exit).toMatchObject({ code: 3, stderr: expect.stringContaining('no screen today') });
    agent.command = command;
    await launch.prompt(id, 'say two');
    expect((await stage.said()).slice(-2)).toEqual(['> say two', 'two']);
    expect(JSON.stringify(launch.model.requests.at(-1)?.body)).toContain('say one');
  });
});
