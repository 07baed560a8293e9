import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { agentInProject } from './agent-in-project.ts';
import { EVERYTHING, nodeServer } from './mcp/mcp-bench.ts';

/** What the host is asked when the model makes these calls. */
async function questions(
  calls: (folder: string) => readonly string[],
  options: { args?: string[]; hooks?: JsonObject; onHook?: (input: unknown) => void } = {},
): Promise<JsonObject[]> {
  const asked: JsonObject[] = [];
  const agent = await agentInProject({
    args: options.args ?? [],
    onPermission: (request) => {
      asked.push(request);
      return { behavior: 'deny', message: 'no' };
    },
  });
  agent.peer.handle('hook_callback', ({ input }) => {
    options.onHook?.(Object(input).tool_input);
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } };
  });
  await agent.peer.request({ subtype: 'initialize', ...(options.hooks ? { hooks: options.hooks } : {}) });
  for (const call of calls(agent.folder)) await agent.turn(call);
  return asked;
}

const write = (path: string): string => `call Write ${JSON.stringify({ file_path: path, content: '1' })}`;

const edit = (path: string): string =>
  `call Edit ${JSON.stringify({ file_path: path, old_string: '', new_string: 'x' })}`;

const option = (label: string) => ({ label, description: label });
const QUESTION = `call AskUserQuestion ${JSON.stringify({
  questions: [{ question: 'Which?', header: 'One', options: [option('a'), option('b')], multiSelect: false }],
})}`;

describe('a question about a call', () => {
  it('[AG580] says in a few words what the call is about: of a command the words of the model, else its file or address', async () => {
    const asked = await questions((folder) => [
      'call Bash {"command":"touch a","description":"make a file"}',
      'call Bash {"command":"touch a"}',
      write(join(folder, 'src/a.txt')),
      write('/nowhere/a.txt'),
      'call WebFetch {"url":"http://example.com/x","prompt":"what"}',
      QUESTION,
    ]);
    expect(asked.map(({ display_name, description }) => [display_name, description])).toEqual([
      ['Bash', 'make a file'],
      ['Bash', 'touch a'],
      ['Write', 'src/a.txt'],
      ['Write', '/nowhere/a.txt'],
      ['WebFetch', 'http://example.com/x'],
      ['AskUserQuestion', undefined],
    ]);
  });

  it('[AG702] has absolute paths and what the model left out, for hosts and hooks alike', async () => {
    let project = '';
    const heard: unknown[] = [];
    const asked = await questions(
      (folder) => {
        project = folder;
        return [write('src/../a.txt'), write('~/b.txt'), edit('new.txt')];
      },
      { hooks: { PreToolUse: [{ hookCallbackIds: ['before'] }] }, onHook: (input) => heard.push(input) },
    );
    const inputs = [
      { file_path: join(project, 'a.txt'), content: '1' },
      { file_path: expect.stringMatching(/^\/[^~]*\/b\.txt$/), content: '1' },
      { file_path: join(project, 'new.txt'), old_string: '', new_string: 'x', replace_all: false },
    ];
    expect(asked.map(({ input }) => input)).toEqual(inputs);
    expect(heard).toEqual(inputs);
  });

  it('[AG672] is not asked where the call cannot be made: of a file that was not read, or of a wrong input', async () => {
    const asked = await questions((folder) => {
      writeFileSync(join(folder, 'unread.txt'), 'one');
      return [
        write(join(folder, 'unread.txt')),
        `call Edit ${JSON.stringify({ file_path: join(folder, 'unread.txt'), old_string: 'one', new_string: 'two' })}`,
        'call Write {"file_path":"a.txt"}',
        'call Bash {"command":7}',
        write(join(folder, 'new.txt')),
      ];
    });
    expect(asked.map(({ description }) => description)).toEqual(['new.txt']);
  });

  it('[AG581] says what kind of thing made the agent ask', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Read', hookCallbackIds: ['h'] }] };
    const asked = await questions(
      (folder) => [
        write('/nowhere/a.txt'),
        write(join(folder, '.claude/settings.json')),
        'run git status',
        `call Read {"file_path":"${join(folder, 'a')}"}`,
        'run touch a',
        QUESTION,
      ],
      { args: ['--settings', '{"permissions":{"ask":["Bash(git status)"]}}'], hooks },
    );
    expect(asked.map((request) => request.decision_reason_type)).toEqual([
      'workingDir',
      'safetyCheck',
      'rule',
      'hook',
      'other',
      undefined,
    ]);
  });

  it('[MC580] names the server of a tool, and nothing that the server says about itself', async () => {
    const config = { mcpServers: { every: nodeServer(EVERYTHING, ['stdio']) } };
    const [asked] = await questions(() => ['call mcp__every__get-sum {"a":1,"b":2,"description":"safe"}'], {
      args: ['--mcp-config', JSON.stringify(config)],
    });
    expect(asked).toMatchObject({
      tool_name: 'mcp__every__get-sum',
      display_name: 'Get-Sum',
      mcp_server: { name: 'every', source: 'dynamic' },
    });
    expect(asked).not.toHaveProperty('description');
  });
});

describe('the account in the answer to initialize', () => {
  it.each([
    [{}, { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' }],
    [{ ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: 't' }, { tokenSource: 'ANTHROPIC_AUTH_TOKEN' }],
    [{ ANTHROPIC_API_KEY: '' }, { tokenSource: 'none' }],
  ])('[AG582] says where the credentials come from: %j', async (env, account) => {
    const agent = await agentInProject({ env });
    expect(await agent.peer.request({ subtype: 'initialize' })).toMatchObject({
      account: { ...account, apiProvider: 'firstParty' },
    });
  });
});
