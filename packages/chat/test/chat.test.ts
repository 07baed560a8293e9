import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../test/programs.ts';
import { chatWithAgent, temporaryFolder } from './drive-chat.ts';

const launcher = builtProgram('packages/chat/test/chat-launcher.ts');
const start = (settings: Partial<Parameters<typeof chatWithAgent>[0]> = {}) =>
  chatWithAgent({ launcher, ...settings });

const QUESTIONS = JSON.stringify({
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      options: [
        { label: 'red', description: 'warm' },
        { label: 'blue', description: 'cold' },
      ],
    },
    {
      question: 'Which trains?',
      header: 'Trains',
      multiSelect: true,
      options: [
        { label: 'ICE', description: 'fast' },
        { label: 'RE', description: 'slow' },
      ],
    },
  ],
});

function codeIn(folder: string): string {
  const path = join(folder, '.code');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Whether a screen shows what `slow` says once, and each other part of the chat once. */
function isWhole(screen: string): boolean {
  const words = wordsIn(screen);
  const [first = 0] = words;
  const parts = ['❯ slow 4000', 'esc to interrupt', 'Type ahead'];
  return (
    words.every((word, at) => word === first + at) && parts.every((part) => screen.split(part).length === 2)
  );
}

function wordsIn(text: string): number[] {
  return text.match(/\bw\d+/g)?.map((word) => Number(word.slice(1))) ?? [];
}

describe('a chat with the agent', () => {
  it('[CH1] shows a prompt, its answer, and model, mode, context and cost', async () => {
    const { pane } = await start();
    await pane.say('say All **signals** are green.');
    const screen = await pane.see((text) => text.includes('$'));
    expect(screen).toContain('❯ say All **signals** are green.');
    expect(screen).toContain('● All signals are green.');
    expect(screen).toMatch(/claude-\S+ · asks first · \d+% full · \$0\.\d+ · \d+s/);
    expect(await pane.colors()).toMatch(/␛\[1m\S*signals/);
  });

  it('[CH2] shows a reply while it is being written, and what was done stays in the scrollback once', async () => {
    const { pane } = await start({ rows: 14 });
    await pane.say('slow 150');
    await pane.see(
      (text) => text.includes('w3') && !text.includes('w149') && text.includes('esc to interrupt'),
    );
    await pane.see((text) => text.includes('w149') && !text.includes('esc to interrupt'));
    for (const word of ['one', 'two', 'three']) {
      await pane.say(`say # ${word}`);
      await pane.see((text) => text.includes(`● ${word}`) && !text.includes('esc to interrupt'));
    }
    const all = await pane.all();
    expect(all.match(/● w0 w1 /g)).toHaveLength(1);
    expect(all.match(/● one/g)).toHaveLength(1);
    expect(all.match(/What shall we do/g)).toHaveLength(1);
  });

  it('[CH8] asks before a tool is used, with what, why and the command, and goes on when it is allowed', async () => {
    const { pane, folder } = await start();
    await pane.say('run touch allowed && echo made');
    const asked = await pane.asked('Allow Bash?');
    expect(asked).toContain('│ touch allowed && echo made');
    expect(asked).toContain('it says run it');
    expect(asked).toMatch(/why +\S+/);
    expect(asked).toMatch(/2\. Always: {2}allow Bash\(touch allowed && echo made\)/);
    await pane.press('1');
    const done = await pane.see('done: made');
    expect(done).toMatch(/● Bash touch allowed && echo made\n {2}└ made/);
    expect(existsSync(join(folder, 'allowed'))).toBe(true);
  });

  it('[CH8] always allows what the person chose to allow always', async () => {
    const { pane } = await start();
    await pane.say('run touch once');
    await pane.asked('Allow Bash?');
    await pane.press('2');
    await pane.see('done:');
    await pane.say('run touch once');
    await pane.see((text) => text.split('done:').length === 3);
    expect(await pane.all()).not.toContain('Allow Bash?');
  });

  it('[CH8] tells the model why a call was denied', async () => {
    const { pane, folder } = await start();
    await pane.say('run touch denied');
    await pane.asked('Allow Bash?');
    await pane.press('3');
    await pane.see('Why not?');
    await pane.type('not on Sundays');
    await pane.press('Enter');
    await pane.see((text) => /done: .*not on Sundays/.test(text));
    expect(existsSync(join(folder, 'denied'))).toBe(false);
    expect(await pane.colors()).toMatch(/␛\[31m\S*The user refused this tool call/);
  });

  it('[CH8] Esc denies and stops the turn', async () => {
    const { pane, model } = await start();
    await pane.say('run touch stopped');
    await pane.asked('Allow Bash?');
    await pane.press('Escape');
    await pane.see('What shall we do?');
    expect(await pane.screen()).not.toContain('done:');
    expect(model.requests.filter(({ turn }) => turn === 'done')).toEqual([]);
    await pane.say('say still here');
    await pane.see('● still here');
  });

  it('[CH5] shows an edit as a diff, before and after it happened', async () => {
    const { pane, folder } = await start();
    await pane.say(`write ${join(folder, 'f.txt')} old words`);
    await pane.asked('+ old words');
    await pane.press('1');
    await pane.see('1 line written');
    await pane.say(`edit ${join(folder, 'f.txt')} old=>new`);
    await pane.see((text) => text.includes('- old') && text.includes('+ new'));
    await pane.asked('Allow Edit?');
    await pane.press('1');
    await pane.see('1 line added, 1 removed');
    const colors = await pane.colors();
    expect(colors).toMatch(/␛\[31m\S*- old words/);
    expect(colors).toMatch(/␛\[32m\S*\+ new words/);
  });

  it('[CH10] asks questions as a form: one, several, and in own words', async () => {
    const { pane } = await start({ columns: 140 });
    await pane.say(`call AskUserQuestion ${QUESTIONS}`);
    await pane.asked('question 1 of 2');
    await pane.press('2');
    await pane.asked('question 2 of 2');
    await pane.press('Space');
    await pane.see('☑ ICE');
    await pane.press('3');
    await pane.see('In your own words');
    await pane.type('S-Bahn');
    await pane.press('Enter');
    await pane.see('☑ Other: S-Bahn');
    await pane.press('Enter');
    await pane.see('"Which colour?"="blue", "Which trains?"="ICE, S-Bahn"');
  });

  it('[CH11] shows a plan, and begins with accepted edits when that is approved', async () => {
    const { pane } = await start({ env: { CHAT_PROMPT: 'say ready' } });
    await pane.see('● ready');
    await pane.press('BTab');
    await pane.see('accepts edits');
    await pane.press('BTab');
    await pane.see('plans only');
    await pane.say('call ExitPlanMode {"plan":"## Steps\\n\\n1. Lay the rails"}');
    const asked = await pane.asked('Begin with this plan?');
    expect(asked).toMatch(/│ Steps\n.*│\n.*│ 1\. Lay the rails/);
    await pane.press('2');
    await pane.see('The user has approved your plan');
    await pane.see('accepts edits');
  });

  it('[CH20] Esc stops the turn, what was queued comes back into the box, and the session goes on', async () => {
    const { pane } = await start();
    await pane.say('slow 2000');
    await pane.see('w5');
    await pane.say('say queued');
    await pane.see('next: say queued');
    await pane.press('Escape');
    await pane.see(
      (text) => text.includes('Stopped.') && text.includes('❯ say queued') && !text.includes('next:'),
    );
    await pane.press('Enter');
    await pane.see('● queued');
  });

  it('[CH19] sends what was typed while it worked, in order, when the turn is over', async () => {
    const { pane } = await start();
    await pane.say('slow 300');
    await pane.see('w5');
    await pane.say('say second');
    await pane.see('next: say second');
    await pane.say('say third');
    await pane.see('● third');
    expect(await pane.all()).toMatch(/w299[\s\S]*● second[\s\S]*● third/);
  });

  it('[CH16] brings back earlier prompts, also those of an earlier run', async () => {
    const folder = await temporaryFolder();
    const first = await start({ folder });
    await first.pane.say('say remember me');
    await first.pane.see('● remember me');
    await first.pane.say('/exit');
    await first.pane.see('left with 0');
    const { pane } = await start({ folder });
    await pane.press('Up');
    await pane.see('❯ /exit');
    await pane.press('Up');
    await pane.see('❯ say remember me');
    await pane.press('Down', 'Down');
    await pane.see('What shall we do?');
  });

  it('[CH26] stays whole when the terminal is resized, with the cursor where the next letter goes', async () => {
    const { pane } = await start();
    await pane.say('say some words');
    await pane.see('● some words');
    await pane.type('half a prompt');
    await pane.resize(50, 12);
    await pane.see((text) => text.includes('❯ half a prompt') && text.includes('…'));
    await pane.resize(120, 40);
    await pane.see((text) => text.includes('❯ half a prompt') && text.includes('Shift+Tab changes the mode'));
    const screen = await pane.screen();
    const { x, y } = await pane.cursor();
    expect(screen.split('\n')[y]?.slice(0, x)).toBe('❯ half a prompt');
    expect(screen.match(/half a prompt/g)).toHaveLength(1);
  });

  it('[CH281] leaves no torn copy on the screen when the terminal is resized while a reply is written', async () => {
    const { pane } = await start({ columns: 100, rows: 24 });
    for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await pane.say(`say ${word}`);
      await pane.see((text) => text.includes(`● ${word}`) && text.includes('What shall we do?'));
    }
    await pane.say('slow 4000');
    await pane.see('w30');
    for (const columns of [60, 38, 71, 45]) {
      await pane.resize(columns, 24);
      await pane.see((text) => isWhole(text));
    }
    await pane.press('Escape');
    await pane.see('Stopped.');
    expect(await pane.all()).toContain('● one');
  });

  it('[CH26] loses nothing that was said when a full terminal shrinks', async () => {
    const { pane } = await start({ rows: 16 });
    for (const word of ['one', 'two', 'three', 'four']) {
      await pane.say(`say ${word}`);
      await pane.see((text) => text.includes(`● ${word}`) && text.includes('What shall we do?'));
    }
    await pane.resize(60, 9);
    const screen = await pane.see('…');
    const all = await pane.all();
    for (const word of ['one', 'two', 'three', 'four']) expect(all).toContain(`● ${word}`);
    expect(screen.match(/● four/g)).toHaveLength(1);
    expect(screen.match(/What shall we do/g)).toHaveLength(1);
  });

  it('[CH14] shows a long paste as one piece, and sends it whole', async () => {
    const { pane, model } = await start();
    const text = Array.from({ length: 312 }, (_, index) => `line ${index}`).join('\n');
    await pane.type('say ');
    await pane.paste(text);
    await pane.see('❯ say [pasted 312 lines]');
    await pane.press('Enter');
    await pane.see('line 311');
    const sent = JSON.stringify(model.requests[0]?.body);
    expect(sent).toContain(JSON.stringify(`say ${text}`).slice(1, -1));
  });

  it('[CH21] leaves with Ctrl-C twice or Ctrl-D, with exit code 0 and how to go on', async () => {
    const { pane } = await start();
    await pane.say('say hello');
    await pane.see('● hello');
    await pane.type('thrown away');
    await pane.press('C-c');
    await pane.see((text) => text.includes('Ctrl-C again leaves') && text.includes('What shall we do?'));
    await pane.press('C-c');
    const screen = await pane.see('exit code 0');
    expect(screen).toMatch(/Go on later with --resume [0-9a-f-]{36}/);
    expect(screen).not.toContain('What shall we do?');
    const { pane: other } = await start();
    await other.press('C-d');
    await other.see('exit code 0');
  });

  it('[CH280] typing takes back the first Ctrl-C: the next one clears the box', async () => {
    const { pane } = await start();
    await pane.press('C-c');
    await pane.see('Ctrl-C again leaves');
    await pane.type('not to be lost');
    await pane.press('C-c');
    await pane.see('What shall we do?');
    await pane.type('still here');
    await pane.see('❯ still here');
  });

  it('[CH21] leaves in order when it is asked to end', async () => {
    const { pane, folder } = await start();
    await pane.say('say hello');
    await pane.see('● hello');
    process.kill(Number(readFileSync(join(folder, '.pid'), 'utf8')), 'SIGTERM');
    const screen = await pane.see('exit code 143');
    expect(screen).toContain('Go on later with --resume');
    expect(screen).not.toContain('What shall we do?');
  });

  it('[CH21] leaves when its terminal goes away', async () => {
    const { pane, folder } = await start();
    await pane.say('slow 2000');
    await pane.see('w5');
    await pane.close();
    // The end of its input and the hangup arrive in any order.
    await expect.poll(() => codeIn(folder)).toMatch(/^(0|129)$/);
  });
});
