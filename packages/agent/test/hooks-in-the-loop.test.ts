import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type AgentInProject, agentInProject, type ProjectOptions } from './agent-in-project.ts';

const UNASKED = ['--dangerously-skip-permissions'];

type Answer = JsonObject | ((input: JsonObject) => JsonObject);

/** An agent with callbacks of the host for events, and what these are told. */
async function agentWithHooks(
  hooks: Record<string, Answer>,
  options: ProjectOptions = { args: UNASKED },
): Promise<{ agent: AgentInProject; told: JsonObject[] }> {
  const agent = await agentInProject(options);
  const told: JsonObject[] = [];
  agent.peer.handle('hook_callback', ({ callback_id, input }) => {
    told.push({ ...Object(input) });
    const answer = hooks[String(callback_id)] ?? {};
    return typeof answer === 'function' ? answer(Object(input)) : answer;
  });
  const rules = Object.keys(hooks).map((event) => [event, [{ hookCallbackIds: [event] }]]);
  await agent.peer.request({ subtype: 'initialize', hooks: Object.fromEntries(rules) });
  return { agent, told };
}

function verdict(permissionDecision: string, more: JsonObject = {}): JsonObject {
  const permissionDecisionReason = 'says the hook';
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason,
      ...more,
    },
  };
}

function context(hookEventName: string, additionalContext: string): JsonObject {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

function task(prompt: string): string {
  const input = { description: 'a part', subagent_type: 'general-purpose', prompt };
  return `call Task ${JSON.stringify(input)}`;
}

/** Settings with one command for an event. */
function commandFor(event: string, command: string): string {
  return JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } });
}

describe('hooks around a tool', () => {
  it('[HK22] a tool that a hook denies is not used; model and host hear why', async () => {
    const { agent, told } = await agentWithHooks({ PreToolUse: verdict('deny') });
    const { tool, result } = await agent.turn('run touch a');
    expect(told).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'touch a' } }]);
    expect(tool).toMatchObject({ is_error: true, content: 'says the hook' });
    expect(result).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    expect(existsSync(agent.project.path('repo/a'))).toBe(false);
  });

  it('[HK22] a tool that a hook wants to be asked for is asked for, where it would be allowed', async () => {
    const asked: JsonObject[] = [];
    const onPermission = (request: JsonObject) => {
      asked.push(request);
      return { behavior: 'deny', message: 'no' };
    };
    const options = { args: ['--allowedTools', 'Bash'], onPermission };
    const { agent } = await agentWithHooks({ PreToolUse: verdict('ask') }, options);
    await agent.turn('run touch a');
    expect(asked).toMatchObject([{ tool_name: 'Bash', decision_reason: 'says the hook' }]);
  });

  it('[HK22] a hook that allows spares the question, but does not undo a rule', async () => {
    const options = {
      args: ['--disallowedTools', 'Bash(rm:*)'],
      onPermission: () => ({ behavior: 'deny', message: 'no' }),
    };
    const { agent } = await agentWithHooks({ PreToolUse: verdict('allow') }, options);
    expect((await agent.turn('run touch a')).tool).toMatchObject({ is_error: false });
    expect((await agent.turn('run rm a')).tool).toMatchObject({ is_error: true });
    expect(existsSync(agent.project.path('repo/a'))).toBe(true);
  });

  it('[HK22] the input that a hook gives is the one that is used and reported after it', async () => {
    const updatedInput = { command: 'echo changed', description: 'another' };
    const { agent, told } = await agentWithHooks({
      PreToolUse: verdict('allow', { updatedInput }),
      PostToolUse: {},
    });
    expect((await agent.turn('run touch a')).tool).toMatchObject({ content: 'changed' });
    expect(told[1]).toMatchObject({ hook_event_name: 'PostToolUse', tool_input: updatedInput });
  });

  it('[HK23] PostToolUse and PostToolUseFailure hear what came of it, and their words reach the model', async () => {
    const { agent, told } = await agentWithHooks({
      PostToolUse: context('PostToolUse', 'well done'),
      PostToolUseFailure: context('PostToolUseFailure', 'try again'),
    });
    await agent.turn('run echo hi');
    expect(agent.sent()).toContain('well done');
    await agent.turn('run exit 3');
    expect(agent.sent()).toContain('try again');
    expect(told).toMatchObject([
      { hook_event_name: 'PostToolUse', tool_response: { stdout: 'hi' } },
      { hook_event_name: 'PostToolUseFailure', error: 'Exit code 3' },
    ]);
  });

  it.each(['PreToolUse', 'PostToolUse'])(
    '[HK24] %s can end the turn, and the session goes on',
    async (event) => {
      const { agent } = await agentWithHooks({ [event]: { continue: false, stopReason: 'enough' } });
      expect((await agent.turn('run echo hi')).result).toMatchObject({
        subtype: 'success',
        result: 'enough',
      });
      expect(agent.model.requests).toHaveLength(1);
      expect((await agent.turn('say hi')).result).toMatchObject({ result: 'hi' });
    },
  );

  it('[HK25] PermissionRequest answers before anyone is asked', async () => {
    const decide = (input: JsonObject) => {
      const behavior = Object(input.tool_input).command === 'touch good' ? 'allow' : 'deny';
      const decision = { behavior, message: 'says the hook' };
      return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    };
    const onPermission = () => Promise.reject(new Error('nobody should ask'));
    const { agent } = await agentWithHooks({ PermissionRequest: decide }, { onPermission });
    expect((await agent.turn('run touch good')).tool).toMatchObject({ is_error: false });
    expect((await agent.turn('run touch bad')).tool).toMatchObject({ content: 'says the hook' });
    expect(existsSync(agent.project.path('repo/good'))).toBe(true);
  });

  it('[PM3730] PermissionRequest cannot change a call into one that a rule denies', async () => {
    const decision = { behavior: 'allow', updatedInput: { command: 'curl x' } };
    const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    const { agent } = await agentWithHooks(
      { PermissionRequest: answer },
      { args: ['--disallowedTools', 'Bash(curl:*)'] },
    );
    const { tool } = await agent.turn('run touch it');
    expect(tool).toMatchObject({ is_error: true, content: expect.stringContaining('curl') });
  });

  it('[HK25] Notification is called when someone is asked', async () => {
    const onPermission = () => ({ behavior: 'deny', message: 'no' });
    const { agent, told } = await agentWithHooks({ Notification: {} }, { onPermission });
    await agent.turn('run touch a');
    expect(told).toMatchObject([{ notification_type: 'permission_prompt' }]);
  });
});

describe('hooks around a turn', () => {
  it('[HK26] the words of UserPromptSubmit reach the model with the prompt', async () => {
    const { agent, told } = await agentWithHooks({
      UserPromptSubmit: context('UserPromptSubmit', 'it is raining'),
    });
    await agent.turn('say hi');
    expect(told).toMatchObject([{ prompt: 'say hi' }]);
    expect(agent.sent()).toContain('it is raining');
  });

  it('[HK26] a prompt that a hook blocks is kept from the model, now and later', async () => {
    const { agent } = await agentWithHooks({
      UserPromptSubmit: ({ prompt }) =>
        prompt === 'say bad' ? { decision: 'block', reason: 'no such words' } : {},
    });
    expect((await agent.turn('say bad')).result).toMatchObject({ result: 'no such words' });
    expect(agent.model.requests).toHaveLength(0);
    expect((await agent.turn('say good')).result).toMatchObject({ result: 'good' });
    expect(agent.sent()).not.toContain('say bad');
  });

  it('[HK27] Stop holds the model back with a reason, and is told that it did', async () => {
    const { agent, told } = await agentWithHooks({
      Stop: ({ stop_hook_active }) =>
        stop_hook_active ? {} : { decision: 'block', reason: 'say one more thing' },
    });
    expect((await agent.turn('say hi')).result).toMatchObject({ result: 'one more thing' });
    expect(told).toMatchObject([
      { stop_hook_active: false, last_assistant_message: 'hi' },
      { stop_hook_active: true, last_assistant_message: 'one more thing' },
    ]);
  });

  it('[HK28] a sub-agent has its own start and stop, and its tools are told in its name', async () => {
    const { agent, told } = await agentWithHooks({
      SubagentStart: context('SubagentStart', 'be brief'),
      PreToolUse: {},
      SubagentStop: {},
      Stop: {},
    });
    await agent.turn(task('run echo below'));
    const events = told.map(({ hook_event_name, agent_type }) => [hook_event_name, agent_type]);
    expect(events).toEqual([
      ['PreToolUse', undefined],
      ['SubagentStart', 'general-purpose'],
      ['PreToolUse', 'general-purpose'],
      ['SubagentStop', 'general-purpose'],
      ['Stop', undefined],
    ]);
    const [, start, inside, stop] = told;
    expect([inside?.agent_id, stop?.agent_id]).toEqual([start?.agent_id, start?.agent_id]);
    expect(stop?.agent_transcript_path).toContain(`agent-${String(start?.agent_id)}.jsonl`);
    const requests = agent.model.requests.map(({ body }) => JSON.stringify(body));
    expect(requests.filter((body) => body.includes('be brief')).length).toBeGreaterThan(0);
  });

  it('[HK29] SessionStart is called with the first prompt and after a compaction, SessionEnd at the end', async () => {
    const hooks = Object.fromEntries(
      ['SessionStart', 'PreCompact', 'SessionEnd'].map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: '(cat; echo) >> ../heard' }] }],
      ]),
    );
    const agent = await agentInProject({
      files: { 'home/.claude/settings.json': JSON.stringify({ hooks }) },
    });
    await agent.turn('say hi');
    await agent.turn('/compact keep it');
    await agent.finish();
    const lines = (await readFile(agent.project.path('heard'), 'utf8')).trim().split(/\n+/);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { hook_event_name: 'SessionStart', source: 'startup' },
      { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: 'keep it' },
      { hook_event_name: 'SessionStart', source: 'compact' },
      { hook_event_name: 'SessionEnd', reason: 'other' },
    ]);
  });
});

describe('hooks around the work', () => {
  it('[HK32] Setup runs before the session starts, where the command line asks for it', async () => {
    const hooks = Object.fromEntries(
      ['Setup', 'SessionStart'].map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: '(cat; echo) >> ../heard' }] }],
      ]),
    );
    const files = { 'home/.claude/settings.json': JSON.stringify({ hooks }) };
    const agent = await agentInProject({ files, args: ['--init'] });
    await agent.turn('say hi');
    const lines = (await readFile(agent.project.path('heard'), 'utf8')).trim().split(/\n+/);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { hook_event_name: 'Setup', trigger: 'init' },
      { hook_event_name: 'SessionStart', source: 'startup' },
    ]);
  });

  it('[HK32] TaskCompleted runs when something in the background is done', async () => {
    const { agent, told } = await agentWithHooks({ TaskCompleted: {} });
    const input = { command: 'true', description: 'nothing much', run_in_background: true };
    await agent.turn(`call Bash ${JSON.stringify(input)}`);
    await expect
      .poll(() => told)
      .toMatchObject([
        { hook_event_name: 'TaskCompleted', task_id: expect.any(String), task_subject: 'nothing much' },
      ]);
  });
});

describe('whose hooks run', () => {
  it('[HK30] those of a project that nobody trusts do not run, and one line says so', async () => {
    const agent = await agentInProject({
      files: { 'repo/.claude/settings.json': commandFor('PreToolUse', 'touch ../ran') },
      isTrusted: false,
      args: UNASKED,
    });
    await agent.turn('run echo hi');
    const { stderr } = await agent.finish();
    expect(existsSync(agent.project.path('ran'))).toBe(false);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/not trusted.*hooks/)]);
  });

  it('[HK30] those of a project that is trusted run, as do those of the person and the command line', async () => {
    const agent = await agentInProject({
      files: {
        'home/.claude/settings.json': commandFor('PreToolUse', 'echo person >> ../heard'),
        'repo/.claude/settings.json': commandFor('PreToolUse', 'echo project >> ../heard'),
      },
      args: [...UNASKED, '--settings', commandFor('PreToolUse', 'echo flag >> ../heard')],
    });
    await agent.turn('run echo hi');
    const heard = await readFile(agent.project.path('heard'), 'utf8');
    expect(heard.trim().split('\n').toSorted()).toEqual(['flag', 'person', 'project']);
  });

  it('[HK31] of a command and a callback that disagree, the stricter one counts', async () => {
    const { agent } = await agentWithHooks(
      { PreToolUse: verdict('allow') },
      {
        files: { 'home/.claude/settings.json': commandFor('PreToolUse', 'echo "not here" >&2; exit 2') },
        args: UNASKED,
      },
    );
    const { tool } = await agent.turn('run touch a');
    expect(tool).toMatchObject({ is_error: true, content: expect.stringContaining('not here') });
  });
});
