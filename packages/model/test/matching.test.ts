import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../src/index.ts';
import { afterTools, ask, type Body, model, post, refusal, said, turns, user } from './client.ts';

type When = ScenarioInput['turns'][number]['when'];

/** Whether a `when` holds for a request. */
async function holds(when: When, body: Body): Promise<boolean> {
  const server = await model({ name: 'test', turns: [{ when, say: ['yes'] }], fallback: { say: ['no'] } });
  return (await said(server, body)) === 'yes';
}

describe('when', () => {
  it('[SM13] plays the first turn of which every condition holds', async () => {
    const server = await turns(
      { when: { user: 'train', model: 'opus' }, say: ['both'] },
      { when: { user: 'train' }, say: ['train'] },
      { say: ['any'] },
    );
    expect(await said(server, user('a train', { model: 'opus' }))).toBe('both');
    expect(await said(server, user('a train'))).toBe('train');
    expect(await said(server, user('a bus', { model: 'opus' }))).toBe('any');
  });

  it('[SM14] matches what the user said: contained, equal, or by regular expression', async () => {
    expect(await holds({ user: 'two' }, user('one two three'))).toBe(true);
    expect(await holds({ user: { contains: 'two' } }, user('one two three'))).toBe(true);
    expect(await holds({ user: { equals: 'two' } }, user('one two three'))).toBe(false);
    expect(await holds({ user: { equals: 'two' } }, user('two'))).toBe(true);
    expect(await holds({ user: { matches: '^ONE', flags: 'i' } }, user('one two'))).toBe(true);
    expect(await holds({ user: { matches: '^two' } }, user('one two'))).toBe(false);
    expect(await holds({ user: 'go' }, afterTools([{ tool: 'Bash', content: 'x' }], 'go'))).toBe(false);
  });

  it('[SM14] matches tool results by tool, text and success', async () => {
    const text = [{ type: 'text', text: 'hello' }];
    const body = afterTools([{ tool: 'Bash', content: text, is_error: true }]);
    expect(await holds({ tool_result: {} }, body)).toBe(true);
    expect(await holds({ tool_result: { tool: 'Bash', text: 'ell', is_error: true } }, body)).toBe(true);
    expect(await holds({ tool_result: { tool: 'Read' } }, body)).toBe(false);
    expect(await holds({ tool_result: { is_error: false } }, body)).toBe(false);
    expect(await holds({ tool_result: { text: 'bye' } }, body)).toBe(false);
    expect(await holds({ tool_result: {} }, user('hi'))).toBe(false);
  });

  it('[SM14] matches system prompt, model, tools offered and turn index', async () => {
    const body = user('hi', {
      system: [{ type: 'text', text: 'Be kind.' }],
      tools: [{ name: 'Bash' }, { name: 'Read' }],
    });
    expect(await holds({ system: 'kind', model: 'claude', tools: ['Read', 'Bash'], turn: 0 }, body)).toBe(
      true,
    );
    expect(await holds({ system: 'cruel' }, body)).toBe(false);
    expect(await holds({ model: { equals: 'claude' } }, body)).toBe(false);
    expect(await holds({ tools: ['Bash', 'Write'] }, body)).toBe(false);
    expect(await holds({ turn: 1 }, body)).toBe(false);
    expect(await holds({ turn: 1 }, afterTools([{ tool: 'Bash', content: '' }]))).toBe(true);
  });

  it("[SM15] does not take an agent's own notes for the user's words", async () => {
    const content = [
      { type: 'text', text: '<system-reminder>\nsay no\n</system-reminder>' },
      { type: 'text', text: 'say yes <system-reminder>say no</system-reminder>' },
      { type: 'text', text: '<system-reminder>and again</system-reminder>' },
      { type: 'text', text: '<local-command-stdout>say no</local-command-stdout>' },
    ];
    const messages = [
      { role: 'user', content },
      { role: 'system', content: '# Environment\n - Primary working directory: /home/me' },
    ];
    expect(await holds({ user: { equals: 'say yes' }, system: '/home/me' }, user('', { messages }))).toBe(
      true,
    );
    const result = [{ tool: 'Read', content: 'text\n\n<system-reminder>say no</system-reminder>\n' }];
    expect(await holds({ tool_result: { text: { equals: 'text' } } }, afterTools(result))).toBe(true);
  });
});

describe('order', () => {
  it('[SM16] plays a turn as often as it says, then goes on to the next', async () => {
    const server = await turns(
      { times: 2, say: ['first'] },
      { times: 1, say: ['second'] },
      { say: ['rest'] },
    );
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await said(server, user('hi')));
    expect(answers).toEqual(['first', 'first', 'second', 'rest', 'rest']);
  });

  it('[SM16] keeps a strict order: only the next turn can answer, each once', async () => {
    const server = await model({
      name: 'strict',
      order: 'strict',
      turns: [
        { when: { user: 'one' }, say: ['1'] },
        { when: { user: 'two' }, say: ['2'] },
      ],
    });
    const early = await refusal(await post(server, user('two')));
    expect(early.error.message).toContain('turns[1] (its time has not come)');
    expect(await said(server, user('one'))).toBe('1');
    expect(await said(server, user('two'))).toBe('2');
    expect((await refusal(await post(server, user('two')))).error.message).toContain(
      'turns[1] (it is used up)',
    );
  });
});

describe('no match', () => {
  it('[SM17] says which scenario, what the user said and which turns came nearest', async () => {
    const server = await turns(
      { name: 'far', when: { user: 'x', model: 'y' }, say: [] },
      { name: 'near', when: { user: 'hello', model: 'claude' }, say: [] },
    );
    const { status, error } = await refusal(await post(server, user('good morning')));
    expect([status, error.type]).toEqual([400, 'invalid_request_error']);
    expect(error.message).toBe(
      'Scenario "test" has no turn for this request. Last user text: "good morning". ' +
        'Nearest turns: near (user text does not contain "hello"); ' +
        'far (user text does not contain "x", model does not contain "y").',
    );
    expect(server.requests[0]).toMatchObject({ code: 'SCENARIO_NO_MATCH', state: 'refused', status: 400 });
  });

  it('[SM17] lets a fallback answer instead', async () => {
    const server = await model({
      name: 'test',
      turns: [{ when: { user: 'x' }, say: ['x'] }],
      fallback: { say: ['well'] },
    });
    expect(await said(server, user('good morning'))).toBe('well');
    expect(server.requests[0]).toMatchObject({ turn: 'fallback', code: undefined });
  });
});

describe('placeholders', () => {
  it('[SM18] stand for what was said, what tools answered, and the request itself', async () => {
    const say = ['{{lastUserText}}|{{ lastToolResult }}|{{model}}|{{turn}}|{{cwd}}'];
    const server = await turns({ say });
    const results = afterTools([
      { tool: 'A', content: 'one' },
      { tool: 'B', content: 'two' },
    ]);
    expect(await said(server, results)).toBe('go|one\ntwo|claude-test|1|.');
    const system = 'Environment\nWorking directory: /home/me/my project\nPlatform: any';
    expect(await said(server, user('hi', { system }))).toBe('hi||claude-test|0|/home/me/my project');
  });

  it('[SM18] stand for the groups of a regular expression, in texts, tool names and inputs', async () => {
    const server = await turns({
      when: { user: { matches: '^(?<verb>\\w+) (\\S+) (\\{.*\\})$' } },
      say: [
        '{{verb}}',
        { tool: '{{2}}', input: { list: ['{{2}}', 7], whole: '{{3|json}}', part: '<{{3}}>' } },
      ],
    });
    const { content } = await ask(server, user('call Bash {"a":[1,"x"]}'));
    expect(content[0]).toMatchObject({ text: 'call' });
    expect(content[1]).toMatchObject({
      name: 'Bash',
      input: { list: ['Bash', 7], whole: { a: [1, 'x'] }, part: '<{"a":[1,"x"]}>' },
    });
    const { status, error } = await refusal(await post(server, user('call Bash {nonsense}')));
    expect([status, error.message]).toEqual([
      400,
      expect.stringContaining('{{3|json}} stands for text that is not JSON'),
    ]);
  });

  it('[SM18] are left alone where a scenario says so', async () => {
    const server = await model({
      name: 'raw',
      templates: false,
      turns: [{ say: ['{{lastUserText}} {{x}}'] }],
    });
    expect(await said(server, user('hi'))).toBe('{{lastUserText}} {{x}}');
  });
});
