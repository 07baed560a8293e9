import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TmuxPane } from '@signalbox/testing/tmux-pane';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../test/programs.ts';
import { chatWith, temporaryFolder } from './drive-chat.ts';

const launcher = builtProgram('packages/chat/test/chat-launcher.ts');
const agent = builtProgram('packages/chat/test/small-agent.ts');
const picker = builtProgram('packages/chat/test/pick-launcher.ts');

const start = (args: string[] = [], settings: Partial<Parameters<typeof chatWith>[1]> = {}) =>
  chatWith([process.execPath, agent, ...args], { launcher, ...settings });

describe('a chat with any agent', () => {
  it('[CH12] queues what is asked at the same time, and answers each by its own', async () => {
    const { pane } = await start();
    await pane.say('asks');
    await pane.see((text) => text.includes('│ first') && text.includes('2 more questions after this one'));
    await pane.asked('│ first');
    await pane.press('1');
    await pane.asked('│ second');
    await pane.press('2');
    await pane.see('Why not?');
    await pane.press('Enter');
    await pane.asked('│ third');
    await pane.press('1');
    await pane.see('● first: allow, second: deny, third: allow');
  });

  it('[CH12] closes a question that the agent takes back', async () => {
    const { pane } = await start();
    await pane.say('take back');
    await pane.see('│ too late');
    const screen = await pane.see('It said: Control request timeout');
    expect(screen).not.toContain('Allow Bash?');
  });

  it('[CH31] lets a person finish the word before it asks: the word is not taken for an answer', async () => {
    const { pane, folder } = await start();
    await pane.say('ask soon');
    await pane.see('I am about to ask');
    await pane.type('1 2 3 1 2 3 1 2 3');
    // Keys take their time through a terminal: a question that is there before them is a question that they answer.
    await pane.see('❯ 1 2 3 1 2 3 1 2 3');
    writeFileSync(join(folder, 'ask-now'), '');
    await pane.asked('Allow Bash?');
    await pane.press('1');
    await pane.see((text) => text.includes('● soon: allow') && text.includes('❯ 1 2 3 1 2 3 1 2 3'));
  });

  it('[CH9] shows all of a long call above the question, once it is asked to', async () => {
    const { pane } = await start([], { rows: 20 });
    await pane.say('long ask');
    await pane.asked('press v to see them all');
    expect(await pane.all()).not.toContain('step 39');
    await pane.press('v');
    await pane.see((text) => text.includes('step 39') && text.includes('Allow Bash?'));
    expect((await pane.all()).match(/^step \d+$/gm)).toHaveLength(40);
    await pane.press('1');
    await pane.see(': allow');
  });

  it('[CH6] shows the calls of a sub-agent under the call of its parent, and not what it says', async () => {
    const { pane } = await start();
    await pane.say('sub-agent');
    const screen = await pane.see('└ one file');
    expect(screen).toMatch(/● Task look around\n {4}● Glob \*\.ts\n {2}└ one file/);
    expect(screen).not.toContain('only the parent hears');
  });

  it('[CH7] tells news of the agent in quiet lines, and survives what it does not understand', async () => {
    const { pane } = await start();
    await pane.say('news');
    const screen = await pane.see('● That was the news.');
    expect(screen).toContain('· The model did not answer (529); trying again in 2 s (1 of 10)');
    expect(screen).toContain('· The conversation was summed up (it was full, 150k tokens before)');
    expect(screen).toContain('· The agent said what nobody understands');
  });

  it('[CH17] completes commands of the agent with their descriptions', async () => {
    const { pane } = await start();
    await pane.type('/');
    const list = await pane.see('/review <number>');
    expect(list).toContain('Review a change');
    expect(list).toContain('/exit');
    await pane.type('rev');
    await pane.see((text) => !text.includes('/exit '));
    await pane.press('Tab');
    await pane.see((text) => text.includes('❯ /review') && !text.includes('Review a change'));
    await pane.type('7');
    await pane.press('Enter');
    await pane.see('● You said: /review 7');
  });

  it('[CH18] completes files that the agent names', async () => {
    const { pane } = await start();
    await pane.type('look at @sig');
    await pane.see('@src/signal.ts');
    await pane.press('Enter');
    await pane.see('❯ look at @src/signal.ts');
    await pane.press('Enter');
    await pane.see('● You said: look at @src/signal.ts');
  });

  it('[CH22] changes the mode with Shift+Tab and shows context and cost', async () => {
    const { pane } = await start();
    await pane.see('asks first · 42% full');
    await pane.press('BTab');
    await pane.see('accepts edits · 42% full');
    await pane.say('hello');
    await pane.see('small · asks first · 42% full · $0.2500');
  });

  it('[CH27] answers /help and /mode itself, and passes on what the agent has', async () => {
    const { pane } = await start([], { rows: 40 });
    // Said once the agent has told what it offers.
    await pane.see('42% full');
    await pane.say('/help');
    await pane.see((text) => text.includes('edit as in a shell') && text.includes('Review a change'));
    await pane.say('/mode plan');
    await pane.see('plans only');
    await pane.say('/mode');
    await pane.see((text) => /plan +← now/.test(text));
    await pane.say('/model tiny');
    await pane.see('● You said: /model tiny');
  });

  it('[CH23] tells why the agent is gone and how to go on, with exit code 1', async () => {
    const { pane } = await start([], { columns: 140 });
    await pane.say('hello');
    await pane.see('● You said: hello');
    await pane.say('die');
    const screen = await pane.see('exit code 1\n');
    expect(screen).toContain('✗ The agent has ended with exit code 3.');
    expect(screen).toContain('the boiler has burst');
    expect(screen).toContain('start it again with --resume 00000000-0000-4000-8000-000000000001');
  });

  it('[CH30] takes up the questions that were open when it joined a session', async () => {
    const { pane } = await start(['started'], { env: { CI: 'true' } });
    await pane.asked('│ from before');
    await pane.press('1');
    await pane.see('What shall we do?');
    await pane.say('hello');
    await pane.see('● You said: hello');
  });

  it('[CH25] uses no colour where NO_COLOR is set', async () => {
    const { pane } = await start([], { env: { NO_COLOR: '1' } });
    await pane.say('sub-agent');
    await pane.see('└ one file');
    const colors = await pane.colors();
    expect(colors).toMatch(/␛\[1m/);
    expect(colors).not.toMatch(/␛\[(?:\d+;)*3[1-6]/);
  });

  it('[CH24] needs a terminal, and says what to do without one', async () => {
    const folder = await temporaryFolder();
    const piped = `${process.execPath} ${launcher} ${folder} ${process.execPath} ${agent} 2>&1 | cat`;
    const pane = await TmuxPane.start(['sh', '-c', piped], { columns: 160 });
    await pane.see('The chat needs a terminal; use -p');
    const dumb = [process.execPath, launcher, folder, process.execPath, agent];
    const other = await TmuxPane.start(dumb, { env: { TERM: 'dumb' }, columns: 160 });
    await other.see('The chat needs a terminal; use -p');
  });
});

describe('the resume picker', () => {
  it('[CH28] lists sessions with what tells them apart, and gives back the chosen one', async () => {
    const pane = await TmuxPane.start([process.execPath, picker]);
    const list = await pane.see('Count the sleepers');
    expect(list).toMatch(/❯ Repair the points\n {4}2 hours ago · 12 messages · main/);
    expect(list).toContain('2 days ago · 1 message · paint');
    await pane.press('Down');
    await pane.see('❯ Paint the signals');
    await pane.press('Enter');
    await pane.see('picked two');
  });

  it('[CH28] finds a session by its words, and gives back none when the person leaves', async () => {
    const pane = await TmuxPane.start([process.execPath, picker]);
    await pane.see('Resume which session?');
    await pane.type('sleepers');
    await pane.see((text) => text.includes('1 of 1 session') && !text.includes('Paint'));
    await pane.press('Enter');
    await pane.see('picked three');
    const other = await TmuxPane.start([process.execPath, picker]);
    await other.see('Resume which session?');
    await other.press('Escape');
    await other.see('picked undefined');
  });
});
