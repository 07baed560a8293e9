import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentMessage } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

const HELPER = { helper: { description: 'helps', prompt: 'You help.', tools: ['Bash', 'Read'] } };

function task(input: Record<string, unknown>): string {
  return `call Task ${JSON.stringify({ description: 'a part', subagent_type: 'helper', ...input })}`;
}

function isOf(subtype: string) {
  return (message: AgentMessage): boolean => message.type === 'system' && message.subtype === subtype;
}

async function agentWithHelper(args: string[] = []): Promise<DrivenAgent> {
  const agent = await driveAgent({ args: ['--dangerously-skip-permissions', ...args] });
  await agent.peer.request({ subtype: 'initialize', agents: HELPER });
  return agent;
}

/** What a sub-agent said and was told, in its call's name. */
function inside(agent: DrivenAgent): AgentMessage[] {
  return agent.messages.filter(
    (message) => 'parent_tool_use_id' in message && typeof message.parent_tool_use_id === 'string',
  );
}

function lastSystem(agent: DrivenAgent): string {
  return JSON.stringify(agent.model.requests.map(({ body }) => body));
}

/** An agent whose sub-agent has something to remember. */
async function agentWithMemory(): Promise<{ agent: DrivenAgent; agentId: unknown }> {
  const agent = await agentWithHelper();
  await agent.say(task({ prompt: 'say remember-me' }));
  await agent.next(isResult);
  const { agentId } = Object(
    Object(agent.messages.find((message) => message.type === 'user' && message.tool_use_result))
      .tool_use_result,
  );
  return { agent, agentId };
}

describe('sub-agents', () => {
  it('[SA1] do a piece of work in a conversation of their own, and hand back their last message', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'run echo from-below' }));
    const result = await agent.next(isResult);
    expect(result).toMatchObject({ subtype: 'success', result: expect.stringContaining('done: from-below') });
    expect(inside(agent).map(({ type }) => type)).toEqual(['user', 'assistant', 'user']);
    const answer = agent.messages.find(
      (message) => message.type === 'user' && message.parent_tool_use_id === null && message.tool_use_result,
    );
    expect(answer).toMatchObject({
      tool_use_result: { status: 'completed', totalToolUseCount: 1, content: [{ text: 'done: from-below' }] },
    });
    expect(lastSystem(agent)).toContain('You help.');
  });

  it.each([
    { how: 'initialize', args: [], wishes: { forwardSubagentText: true } },
    { how: 'the command line', args: ['--forward-subagent-text'], wishes: {} },
  ])('[SA700] are heard where $how asks for their words, and never as a stream', async ({ args, wishes }) => {
    const agent = await driveAgent({
      args: ['--dangerously-skip-permissions', '--include-partial-messages', ...args],
    });
    await agent.peer.request({ subtype: 'initialize', agents: HELPER, ...wishes });
    await agent.say(task({ prompt: 'run echo from-below' }));
    await agent.next(isResult);
    expect(inside(agent).map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('[SA701] are named in all that is told of them, and in a file beside their transcript', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'run echo kept' }));
    await agent.next(isResult);
    await agent.finish();
    const [first] = inside(agent);
    const { agent_id: id, parent_tool_use_id: toolUseId } = Object(first);
    for (const message of inside(agent))
      expect(message).toMatchObject({ agent_id: id, subagent_type: 'helper', task_description: 'a part' });
    const projects = join(agent.folder, '.claude', 'projects');
    const name = (await readdir(projects, { recursive: true })).find((file) => file.endsWith('.meta.json'));
    expect(name).toContain(`/subagents/agent-${id}.meta.json`);
    expect(JSON.parse(await readFile(join(projects, name ?? ''), 'utf8'))).toEqual({
      agentType: 'helper',
      description: 'a part',
      toolUseId,
      spawnDepth: 1,
      finished: true,
    });
  });

  it('[SA2] have the tools they were given, and never those that start others or ask a person', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'say hi' }));
    await agent.next(isResult);
    const offered = agent.model.requests.map(({ body }) =>
      (Object(body).tools ?? []).map(({ name }: { name: string }) => name),
    );
    expect(offered).toContainEqual(['Bash', 'Read']);
    await agent.say(task({ prompt: 'say hi', subagent_type: 'general-purpose' }));
    await agent.next(isResult, agent.messages.length);
    const all = Object(agent.model.requests.at(-2)?.body).tools.map(({ name }: { name: string }) => name);
    expect(all).toContain('Write');
    expect(all).not.toContain('Task');
    expect(all).not.toContain('AskUserQuestion');
  });

  it('[SA3] tell the host when they start, what they use and how they end', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'run true' }));
    await agent.next(isResult);
    const told = agent.messages
      .filter(({ type }) => type === 'system')
      .map((message) => Object(message).subtype);
    expect(told).toEqual(['init', 'task_started', 'task_progress', 'task_updated', 'task_notification']);
    expect(agent.messages.find(isOf('task_notification'))).toMatchObject({
      status: 'completed',
      usage: { tool_uses: 1 },
    });
  });

  it('[SA4] keep a transcript beside that of their session', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'run echo kept' }));
    await agent.next(isResult);
    await agent.finish();
    const projects = join(agent.folder, '.claude', 'projects');
    const files = (await readdir(projects, { recursive: true })).filter((name) =>
      /subagents\/agent-.*\.jsonl$/.test(name),
    );
    expect(files).toHaveLength(1);
    const lines = (await readFile(join(projects, files[0] ?? ''), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'user', isSidechain: true, parentUuid: null },
      { type: 'assistant', isSidechain: true },
      { type: 'assistant', isSidechain: true },
      { type: 'user', isSidechain: true },
      { type: 'assistant', isSidechain: true },
    ]);
  });

  it('[SA5] ask for permission like the session, in their own name', async () => {
    const asked: unknown[] = [];
    const agent = await driveAgent({
      onPermission: (request) => {
        asked.push(request);
        return { behavior: 'deny', message: 'no' };
      },
    });
    await agent.peer.request({ subtype: 'initialize', agents: HELPER });
    await agent.say(task({ prompt: 'run touch x' }));
    const result = await agent.next(isResult);
    expect(asked).toMatchObject([{ tool_name: 'Bash', agent_id: expect.stringMatching(/^a/) }]);
    expect(result).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
  });

  it('[SA5] a refusal that is to end the turn ends it for all', async () => {
    const agent = await driveAgent({
      onPermission: () => ({ behavior: 'deny', message: 'no', interrupt: true }),
    });
    await agent.peer.request({ subtype: 'initialize', agents: HELPER });
    await agent.say(task({ prompt: 'run touch x' }));
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'error_during_execution' });
  });

  it('[SA6] work in the background; the model hears of their end, with or without a prompt', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'run sleep 0.3; echo late', run_in_background: true }));
    await agent.next(isResult);
    const after = agent.messages.length;
    expect(await agent.next(isOf('task_notification'))).toMatchObject({ status: 'completed' });
    expect(await agent.next(isResult, after)).toMatchObject({ subtype: 'success' });
    expect(JSON.stringify(agent.model.requests.at(-1)?.body)).toContain('done: late');
  });

  it('[AG587] and commands in the background tell at their end where what they said is written down', async () => {
    const agent = await agentWithHelper();
    const endOf = async (prompt: string): Promise<string> => {
      const after = agent.messages.length;
      await agent.say(prompt);
      const end = Object(await agent.next(isOf('task_notification'), after));
      expect(end).toMatchObject({ status: 'completed', output_file: expect.stringMatching(/./) });
      return readFile(end.output_file, 'utf8');
    };
    const command = { command: 'echo from-behind', description: 'b', run_in_background: true };
    expect(await endOf(`call Bash ${JSON.stringify(command)}`)).toBe('from-behind\n');
    expect(await endOf(task({ prompt: 'say deep', run_in_background: true }))).toContain('"deep"');
  });

  it('[SA7] end with the turn that is interrupted, and at once when they are stopped', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'run sleep 100' }));
    await agent.next(isOf('task_progress'));
    await agent.peer.request({ subtype: 'interrupt' });
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'error_during_execution' });
    const after = agent.messages.length;
    await agent.say(task({ prompt: 'run sleep 100', run_in_background: true }));
    const started = await agent.next(isOf('task_started'), after);
    await agent.next(isOf('task_progress'), after);
    await agent.peer.request({ subtype: 'stop_task', task_id: Object(started).task_id });
    expect(await agent.next(isOf('task_notification'), after)).toMatchObject({ status: 'stopped' });
  });

  it('[SA8] go on with what they know when they are called again', async () => {
    const { agent, agentId } = await agentWithMemory();
    const after = agent.messages.length;
    await agent.say(task({ prompt: 'say again', resume: agentId }));
    await agent.next(isResult, after);
    expect(JSON.stringify(agent.model.requests.at(-2)?.body)).toContain('remember-me');
  });

  it('[SA580] that are called twice in one reply do one thing after the other', async () => {
    const { agent, agentId } = await agentWithMemory();
    const again = (prompt: string) => ({
      tool: 'Task',
      input: { description: prompt, prompt, subagent_type: 'helper', resume: agentId },
    });
    await agent.model.setScenario({
      name: 'two at once',
      turns: [
        { name: 'both', when: { user: 'both' }, say: [again('first'), again('second')] },
        { name: 'first', when: { user: 'first' }, say: [{ tool: 'Bash', input: { command: 'echo one' } }] },
      ],
      fallback: { say: ['done'] },
    });
    const [after, asked] = [agent.messages.length, agent.model.requests.length];
    await agent.say('both');
    await agent.next(isResult, after);
    const spoken = agent.model.requests
      .slice(asked)
      .map(({ body }) => JSON.stringify(Object(body).messages))
      .filter((text) => !text.includes('both'));
    expect(spoken.map((text) => text.includes('second'))).toEqual([false, false, true]);
    expect(spoken.at(-1)).toMatch(/first.*echo one.*tool_result.*done.*second/);
  });

  it('[SA9] that do not exist, and that fail, are told to the model', async () => {
    const agent = await agentWithHelper();
    await agent.say(task({ prompt: 'say hi', subagent_type: 'nobody' }));
    expect(await agent.next(isResult)).toMatchObject({
      result: expect.stringContaining('There is no agent "nobody"'),
    });
  });

  it('[SA10] are what the session itself becomes with --agent', async () => {
    const agents = JSON.stringify({ poet: { description: 'rhymes', prompt: 'You rhyme.', tools: ['Read'] } });
    const agent = await driveAgent({ args: ['--agents', agents, '--agent', 'poet'] });
    await agent.say('say hi');
    await agent.next(isResult);
    const { system, tools } = Object(agent.model.requests.at(-1)?.body);
    expect(JSON.stringify(system)).toContain('You rhyme.');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['Read']);
  });

  it('[SA11] side by side take no longer than the slowest', async () => {
    const scenario = {
      name: 'two at once',
      turns: [
        {
          name: 'both',
          when: { user: 'both' },
          say: [1, 2].map((n) => ({
            tool: 'Task',
            input: {
              description: `part ${n}`,
              prompt: `call Bash {"command":"touch ${n}; while [ ! -e ${3 - n} ]; do sleep 0.05; done"}`,
              subagent_type: 'helper',
            },
          })),
        },
        {
          name: 'call',
          when: { user: { matches: '^call (\\S+) (\\{[\\s\\S]*\\})$' } },
          say: [{ tool: '{{1}}', input: '{{2|json}}' }],
        },
      ],
      fallback: { say: ['both are done'] },
    };
    const agent = await driveAgent({ args: ['--dangerously-skip-permissions'], scenario });
    await agent.peer.request({ subtype: 'initialize', agents: HELPER });
    await agent.say('both');
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'success', result: 'both are done' });
  });
});
