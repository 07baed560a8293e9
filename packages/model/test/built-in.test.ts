import { describe, expect, it } from 'vitest';
import { afterTools, ask, model, said, stream, user } from './client.ts';

describe('puppet', () => {
  it('[SM41] does what the user types', async () => {
    const server = await model('puppet');
    const tool = (name: string, input: unknown) => [
      { type: 'text', text: 'ok' },
      { type: 'tool_use', id: expect.any(String), name, input },
    ];
    const question = { questions: [{ question: 'Which colour?', header: 'Colour', options: [] }] };
    const script: readonly (readonly [string, unknown])[] = [
      ['say one', [{ type: 'text', text: 'one' }]],
      ['think hello there', [{ type: 'thinking' }, { type: 'text', text: 'hello there' }]],
      ['run echo $HOME; ls', tool('Bash', { command: 'echo $HOME; ls', description: 'run it' })],
      ['read /project/f.txt', tool('Read', { file_path: '/project/f.txt' })],
      ['write ./m.txt hi\nthere', tool('Write', { file_path: './m.txt', content: 'hi\nthere' })],
      ['edit a.txt two=>three', tool('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' })],
      [`call AskUserQuestion ${JSON.stringify(question)}`, tool('AskUserQuestion', question)],
      ['call mcp__lab__add {"a":2,"b":40}', tool('mcp__lab__add', { a: 2, b: 40 })],
      ['anything else', [{ type: 'text', text: 'echo: anything else' }]],
    ];
    for (const [prompt, content] of script)
      expect((await ask(server, user(prompt))).content).toMatchObject(Object(content));
    expect(await said(server, afterTools([{ tool: 'Bash', content: 'hi', is_error: true }]))).toBe(
      'done: hi',
    );
  });

  it('[SM41] follows a prompt that comes with the results of an interrupted turn', async () => {
    const server = await model('puppet');
    const interrupted = afterTools([{ tool: 'Bash', content: 'stopped', is_error: true }]);
    const messages = [interrupted['messages'], { role: 'user', content: 'say go on' }].flat();
    expect(await said(server, { ...interrupted, messages })).toBe('go on');
  });

  it('[SM41] speaks slowly on request, a word at a time', async () => {
    const started = performance.now();
    const events = await stream(await model('puppet'), user('slow 5'));
    expect(events.flatMap((event) => event.delta?.text ?? [])).toEqual(['w0 ', 'w1 ', 'w2 ', 'w3 ', 'w4']);
    expect(performance.now() - started).toBeGreaterThan(95);
  });
});

describe('demo', () => {
  it('[SM42] thinks, writes, reads back, runs and reports', async () => {
    const server = await model('demo');
    const plan = await ask(server, user('show me', { system: 'Working directory: /home/me' }));
    expect(plan.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(plan.content[2]).toMatchObject({ name: 'Write', input: { file_path: '/home/me/departures.sh' } });
    const check = await ask(server, afterTools([{ tool: 'Write', content: 'done' }]));
    expect(check.content.at(-1)).toMatchObject({ name: 'Read', input: { file_path: './departures.sh' } });
    const run = await ask(server, afterTools([{ tool: 'Read', content: 'text' }]));
    expect(run.content.at(-1)).toMatchObject({ name: 'Bash', input: { command: 'sh departures.sh' } });
    const report = await ask(server, afterTools([{ tool: 'Bash', content: '09:04 Green Branch' }]));
    expect(report).toMatchObject({ stop_reason: 'end_turn' });
    expect(report.content[0]?.text).toContain('```\n09:04 Green Branch\n```');
  });

  it('[SM42] stops politely when a tool fails or nothing is left to play', async () => {
    const server = await model('demo');
    const denied = afterTools([{ tool: 'Write', content: 'not today', is_error: true }]);
    expect(await said(server, denied)).toContain('> not today');
    const messages = [
      { role: 'user', content: 'show me' },
      { role: 'assistant', content: 'shown' },
      { role: 'user', content: 'more' },
    ];
    expect(await said(server, user('', { messages }))).toContain('this line is where it ends');
  });
});

describe('welcome', () => {
  /** A prompt in a conversation that has begun. */
  const later = (content: string) =>
    user('', {
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hello' },
        { role: 'user', content },
      ],
    });

  it('[LN22] says in its first answer that it is a script, and what it can do', async () => {
    const text = await said(await model('welcome'), user('please write me a compiler'));
    expect(text).toContain('built-in scripted model');
    for (const word of ['write', 'run', 'ask', 'think', 'long', 'menu'])
      expect(text).toContain(`**${word}**`);
  });

  it('[LN22] does on a word what it stands for, and answers anything else with the menu', async () => {
    const server = await model('welcome');
    const calls: readonly (readonly [string, object])[] = [
      ['Write a file', { name: 'Write', input: { file_path: './signalbox-note.md' } }],
      ['run something', { name: 'Bash' }],
      ['ask me a question', { name: 'AskUserQuestion' }],
    ];
    for (const [prompt, call] of calls)
      expect((await ask(server, later(prompt))).content.at(-1)).toMatchObject(call);
    expect((await ask(server, later('think'))).content[0]).toMatchObject({ type: 'thinking' });
    expect((await ask(server, user('Run!'))).content.at(-1)).toMatchObject({ name: 'Bash' });
    expect(await said(server, later('what is a monad?'))).toMatch(/what is a monad\?[^]*\*\*write\*\*/);
    expect(await said(server, afterTools([{ tool: 'Write', content: 'ok' }]))).toContain('signalbox-note.md');
    const answered = afterTools([{ tool: 'AskUserQuestion', content: 'Green it is' }]);
    expect(await said(server, answered)).toContain('> Green it is');
    expect(await said(server, afterTools([{ tool: 'Bash', content: 'Monday' }]))).toContain('Monday');
    const unread = { tool: 'Write', content: 'File has not been read yet.', is_error: true };
    expect((await ask(server, afterTools([unread]))).content.at(-1)).toMatchObject({ name: 'Read' });
    const again = await ask(server, afterTools([{ tool: 'Read', content: 'a note' }]));
    expect(again.content.at(-1)).toMatchObject({ name: 'Write' });
    const denied = afterTools([{ tool: 'Write', content: 'not today', is_error: true }]);
    expect(await said(server, denied)).toContain('> not today');
  });
});
