import type { CanUseToolRequest } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import type { Answer, Ask } from '../src/asks/ask.ts';
import { AskQueue } from '../src/asks/ask-queue.ts';
import { FreshAsk } from '../src/asks/fresh-ask.ts';
import { openAsk } from '../src/asks/open-ask.ts';
import { textOf } from '../src/text/line.ts';

function ask(request: Partial<CanUseToolRequest>): Ask {
  return openAsk(
    { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't', ...request },
    '/project',
  );
}

/** The answer after keys: chords, or typed text after a quote. */
function answerTo(one: Ask, ...chords: string[]): Answer['result'] | undefined {
  let answer: Answer | undefined;
  for (const chord of chords) {
    answer = one.onKey(chord.startsWith('"') ? { chord: 'text', text: chord.slice(1) } : { chord, text: '' });
  }
  return answer?.result;
}

function shown(one: Ask, rows = 30, width = 80): string {
  return one.view({ width, rows }).lines.map(textOf).join('\n');
}

const input = { command: 'git push', description: 'Publish' };
const suggestions: CanUseToolRequest['permission_suggestions'] = [
  {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'git:*' }],
    behavior: 'allow',
    destination: 'session',
  },
];

describe('a question about a tool', () => {
  it('[CH730] has the words and answers by which tools that watch a terminal know it', () => {
    const text = shown(ask({ input, permission_suggestions: suggestions }));
    expect(text).toMatch(/Do you want to proceed\?\n❯ 1\. Yes\n {2}2\. Always:.*\n {2}3\. No, and say why/);
    expect(shown(ask({ tool_name: 'ExitPlanMode', input: { plan: 'x' } }))).toContain(
      'Would you like to proceed?\n❯ 1. ',
    );
  });
});

describe('a question that has just appeared', () => {
  const bash = (): Ask => ask({ input });

  it('[CH391] takes no key that was pressed before it was drawn, or in its first moment', () => {
    const fresh = new FreshAsk();
    const [one, two] = [bash(), bash()];
    expect(fresh.takesKey(one, 0)).toBe(false);
    expect(fresh.drawn(one, 1000)).toBe(true);
    expect(fresh.takesKey(one, 1100)).toBe(false);
    expect(fresh.drawn(one, 1600)).toBe(false);
    expect(fresh.takesKey(one, 1600)).toBe(true);
    // The same key, doubled: the next question is there already, and not on the screen yet.
    expect(fresh.takesKey(two, 1610)).toBe(false);
    expect(fresh.drawn(two, 1620)).toBe(true);
    // One that is held down comes again and again.
    for (let at = 1630; at < 4000; at += 30) expect(fresh.takesKey(two, at)).toBe(false);
    expect(fresh.drawn(two, 4000)).toBe(true);
    expect(fresh.takesKey(two, 4300)).toBe(true);
    expect(fresh.drawn(undefined, 5000)).toBe(false);
    expect(fresh.drawn(two, 5001)).toBe(true);
  });

  it('[CH391] a form with several questions rests before each of them', () => {
    const options = [{ label: 'a' }, { label: 'b' }];
    const questions = ['One?', 'Two?'].map((question) => ({ question, header: 'H', options }));
    const form = ask({ tool_name: 'AskUserQuestion', input: { questions } });
    const fresh = new FreshAsk();
    fresh.drawn(form, 0);
    expect(fresh.takesKey(form, 700)).toBe(true);
    answerTo(form, '"1');
    expect(fresh.takesKey(form, 710)).toBe(false);
    fresh.drawn(form, 720);
    expect(fresh.takesKey(form, 1400)).toBe(true);
  });
});

describe('a permission question', () => {
  it('[CH8] tells what, where, why and who', () => {
    const text = shown(
      ask({ input, blocked_path: '/etc', decision_reason: 'outside of the project', agent_id: 'a7' }),
    );
    expect(text).toContain('? Allow Bash?');
    expect(text).toMatch(/it says +Publish/);
    expect(text).toMatch(/where +\/etc/);
    expect(text).toMatch(/why +outside of the project/);
    expect(text).toMatch(/who +sub-agent a7/);
    expect(text).toContain('│ git push');
  });

  it('[CH390] shows what is asked for first and what the agent says about it after it, and hides neither behind the other', () => {
    expect(shown(ask({ input }))).toMatch(/Allow Bash\?\n.*│ git push\n.*│ it says +Publish/);
    const wordy = ask({ input: { command: 'rm -rf x', description: 'harmless '.repeat(300) } });
    const text = shown(wordy, 12, 40);
    expect(text.split('\n')).toHaveLength(12);
    expect(text).toContain('│ rm -rf x');
    expect(answerTo(wordy, '"1')).toBeUndefined();
  });

  it('[CH580] does not show as words of the agent what only repeats the call', () => {
    const file = { file_path: '/project/src/a.txt', content: '1' };
    expect(shown(ask({ tool_name: 'Write', input: file, description: 'src/a.txt' }))).not.toContain(
      'it says',
    );
    expect(shown(ask({ input: { command: 'ls -l' }, description: 'ls -l' }))).not.toContain('it says');
    expect(shown(ask({ tool_name: 'Write', input: file, description: 'a new file' }))).toMatch(
      /it says +a new file/,
    );
  });

  it('[CH390] takes no yes on a screen that has no room for the call', () => {
    const request = { input: { command: 'one\ntwo\nthree' }, permission_suggestions: suggestions };
    const small = ask(request);
    shown(small, 7);
    expect(answerTo(small, '"1')).toBeUndefined();
    expect(small.whole(80).map(textOf)).toContain('one');
    shown(small, 7);
    expect(answerTo(small, '"1')).toMatchObject({ behavior: 'allow' });
  });

  it('[CH8] is answered by number, or with the arrows and Enter', () => {
    const request = { input, permission_suggestions: suggestions };
    const allow = { behavior: 'allow', updatedInput: input };
    expect(answerTo(ask(request), '"1')).toEqual(allow);
    expect(answerTo(ask(request), 'enter')).toEqual(allow);
    expect(answerTo(ask(request), '"2')).toEqual({ ...allow, updatedPermissions: suggestions });
    expect(answerTo(ask(request), 'down', 'enter')).toEqual({ ...allow, updatedPermissions: suggestions });
    expect(answerTo(ask(request), '"3', '"because', 'enter')).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('said: because'),
    });
    expect(answerTo(ask(request), '"3', 'escape', '"1')).toEqual(allow);
    expect(answerTo(ask(request), 'escape')).toMatchObject({ behavior: 'deny', interrupt: true });
    expect(answerTo(ask(request), '"9', '"x', 'tab')).toBeUndefined();
  });

  it('[CH240] offers each thing to keep by itself, and shows every field of the input', () => {
    const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const;
    const danger = { ...input, dangerouslyDisableSandbox: true, timeout: 9000, odd: ['x'] };
    const request = { input: danger, permission_suggestions: [...suggestions, mode] };
    const text = shown(ask(request));
    for (const part of ['dangerouslyDisableSandbox: true', 'timeout: 9000', 'odd: [', 'all of these'])
      expect(text).toContain(part);
    expect(answerTo(ask(request), '"2')).toMatchObject({ updatedPermissions: suggestions });
    expect(answerTo(ask(request), '"3')).toMatchObject({ updatedPermissions: [mode] });
    expect(answerTo(ask(request), '"4')).toMatchObject({ updatedPermissions: [...suggestions, mode] });
    const edits = [{ old_string: 'a', new_string: 'b', replace_all: true }];
    expect(shown(ask({ tool_name: 'MultiEdit', input: { file_path: '/x', edits } }))).toContain(
      'replace_all: true',
    );
  });

  it('[CH241] takes no yes for what was not shown, until all of it was', () => {
    const command = Array.from({ length: 50 }, (_, at) => `echo ${at}`).join('\n');
    const long = ask({ input: { command } });
    shown(long, 12);
    expect(answerTo(long, '"1')).toBeUndefined();
    expect(shown(long, 12)).toContain('Not all of it was shown: press v');
    expect(long.whole(80).map(textOf).join('\n')).toContain('echo 49');
    shown(long, 12);
    expect(answerTo(long, '"1')).toMatchObject({ behavior: 'allow' });
    const refusing = ask({ input: { command } });
    shown(refusing, 12);
    expect(answerTo(refusing, '"2', '"no', 'enter')).toMatchObject({ behavior: 'deny' });
  });

  it('[CH8] offers "always" only where the agent suggests something', () => {
    expect(shown(ask({ input }))).not.toContain('Always');
    expect(answerTo(ask({ input }), '"2', 'enter')).toMatchObject({ behavior: 'deny' });
  });

  it.each([
    [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }, 'accept all edits for this session'],
    [
      { type: 'addDirectories', directories: ['/a\u202e\nb'], destination: 'userSettings' },
      'work in /a\\u202e b in all folders, for you',
    ],
    [
      { type: 'addRules', rules: [{ toolName: 'Read' }], behavior: 'allow', destination: 'projectSettings' },
      'allow Read in this folder, for everyone',
    ],
    [{ type: 'newKind', destination: 'newPlace' }, 'newKind in newPlace'],
  ])('[CH8] says %j in words', (update, words) => {
    // What a peer sends is not checked by the compiler either.
    const updates: CanUseToolRequest['permission_suggestions'] = JSON.parse(JSON.stringify([update]));
    expect(shown(ask({ permission_suggestions: updates }))).toContain(`Always:  ${words}\n`);
  });

  it('[CH9] says how much of a long call it does not show, and can show all of it', () => {
    const command = Array.from({ length: 50 }, (_, index) => `step ${index}`).join('\n');
    const long = ask({ input: { command } });
    const text = shown(long, 16);
    expect(text).toMatch(/… \d+ more lines: press v to see them all/);
    expect(text.split('\n')).toHaveLength(16);
    expect(long.whole(80).map(textOf)).toHaveLength(50);
  });

  it('[CH4] hides nothing of a command behind control characters', () => {
    expect(shown(ask({ input: { command: 'echo ok\x1b[2K\r; rm x' } }))).toContain(
      'echo ok\\u001b[2K\\u000d; rm x',
    );
  });

  it('[CH8] shows a proposed change as one', () => {
    const edit = { file_path: '/project/a.ts', old_string: 'one', new_string: 'two\nthree' };
    expect(shown(ask({ tool_name: 'Edit', input: edit }))).toMatch(
      /│ a\.ts\n.*│ - one\n.*│ \+ two\n.*│ \+ three/,
    );
    expect(shown(ask({ tool_name: 'mcp__a__b', input: { deep: { x: 1 } } }))).toContain('deep: {');
  });
});

describe('a question form', () => {
  const questions = [
    { question: 'Which?', header: 'Q', options: [{ label: 'a', description: 'first' }, { label: 'b' }] },
    { question: 'Many?', header: 'M', multiSelect: true, options: [{ label: 'c' }, { label: 'd' }] },
  ];
  const form = () => ask({ tool_name: 'AskUserQuestion', input: { questions } });
  const answers = (...chords: string[]) => answerTo(form(), ...chords);

  it('[CH10] gives back answers by the text of the question', () => {
    expect(answers('"2', '"1', '"2', 'enter')).toEqual({
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which?': 'b', 'Many?': 'c, d' } },
    });
  });

  it('[CH10] takes own words, beside or instead of what was offered', () => {
    expect(answers('"3', '"neither', 'enter', '"1', '"3', '"more', 'enter', 'enter')).toMatchObject({
      updatedInput: { answers: { 'Which?': 'neither', 'Many?': 'c, more' } },
    });
  });

  it('[CH10] goes back, marks and unmarks, and can be refused', () => {
    expect(answers('"1', 'left', '"2', '" ', '" ', 'down', 'enter')).toMatchObject({
      updatedInput: { answers: { 'Which?': 'b', 'Many?': 'd' } },
    });
    expect(answers('escape')).toMatchObject({ behavior: 'deny', interrupt: true });
    expect(shown(form())).toContain('question 1 of 2');
  });

  it('[CH10] a question without options is a permission question', () => {
    expect(shown(ask({ tool_name: 'AskUserQuestion', input: { questions: [] } }))).toContain(
      'Allow AskUserQuestion?',
    );
  });
});

describe('a plan', () => {
  const plan = () => ask({ tool_name: 'ExitPlanMode', input: { plan: '# Plan\n\n- step' } });

  it('[CH11] is approved, approved with accepted edits, or sent back with a wish', () => {
    expect(shown(plan())).toContain('│ • step');
    expect(answerTo(plan(), '"1')).toEqual({ behavior: 'allow', updatedInput: { plan: '# Plan\n\n- step' } });
    expect(answerTo(plan(), '"2')).toMatchObject({
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    });
    expect(answerTo(plan(), '"3', '"shorter', 'enter')).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('shorter'),
    });
  });
});

describe('questions in a row', () => {
  it('[CH12] stopping the turn answers all that wait, and none is left open', async () => {
    const nothing = (): void => {};
    const queue = new AskQueue({ onChange: nothing, onAnswer: nothing, onTakenBack: nothing });
    const request: CanUseToolRequest = {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input,
      tool_use_id: 't',
    };
    const { signal } = new AbortController();
    const answered = [queue.add(request, '/', signal), queue.add(request, '/', signal)];
    expect(queue.behind).toBe(1);
    queue.onKey({ chord: 'escape', text: '' });
    expect((await Promise.all(answered)).map(({ behavior }) => behavior)).toEqual(['deny', 'deny']);
    expect(queue.first).toBeUndefined();
  });
});
