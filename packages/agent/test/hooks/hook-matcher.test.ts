import { HOOK_EVENTS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src/hooks/hook-call.ts';
import { hookMatcher } from '../../src/hooks/hook-matcher.ts';
import { BASH_CALL, openHookBench, printing, SETTINGS } from './hook-bench.ts';

describe('matchers of hooks', () => {
  it.each([
    [undefined, ['Bash', ''], []],
    ['', ['Bash'], []],
    ['*', ['Bash', 'mcp__a__b'], []],
    ['Write', ['Write'], ['TodoWrite', 'write', 'Writer']],
    ['Edit|Write', ['Edit', 'Write'], ['MultiEdit', 'NotebookEdit', 'Edit|Write']],
    ['Edit, Write', ['Edit', 'Write'], ['TodoWrite']],
    ['mcp__memory', ['mcp__memory'], ['mcp__memory__read']],
    ['mcp__.*', ['mcp__memory__read'], ['Bash']],
    ['^Notebook', ['NotebookEdit'], ['Bash']],
    ['mcp__.*__write.*', ['mcp__disk__write_file'], ['mcp__disk__read']],
    ['Bash|Note.*', ['Bash', 'NotebookEdit'], ['Read']],
    ['^(?!Read$).*', ['Bash'], ['Read']],
  ])('[HK2] %j', (text, matching, others) => {
    const { matches, problem } = hookMatcher(text);
    expect(problem).toBeUndefined();
    expect(matching.map((subject) => matches(subject))).toEqual(matching.map(() => true));
    expect(others.map((subject) => matches(subject))).toEqual(others.map(() => false));
  });

  it('[HK2] a broken expression is named, and matches exactly its text', async () => {
    const { runner, problems, fire } = await openHookBench();
    const hooks = [{ type: 'command', command: printing({ systemMessage: 'ran' }) }];
    runner.addCommands(SETTINGS, { PreToolUse: [{ matcher: 'Bash(', hooks }] });
    expect(problems).toEqual([
      expect.stringMatching(/^\.claude\/settings\.json: hooks\.PreToolUse\[0\]\.matcher: .*Bash\(/),
    ]);
    expect((await fire('PreToolUse', BASH_CALL)).systemMessages).toEqual([]);
    expect((await fire('PreToolUse', { ...BASH_CALL, tool_name: 'Bash(' })).systemMessages).toEqual(['ran']);
  });

  it('[HK3] look at what an event is about', () => {
    const input = {
      tool_name: 'a tool',
      notification_type: 'a type',
      source: 'a source',
      reason: 'a reason',
      agent_type: 'an agent',
      trigger: 'a trigger',
    };
    expect(Object.fromEntries(HOOK_EVENTS.map((event) => [event, subjectOf(event, input)]))).toEqual({
      PreToolUse: 'a tool',
      PostToolUse: 'a tool',
      PostToolUseFailure: 'a tool',
      PermissionRequest: 'a tool',
      Notification: 'a type',
      SessionStart: 'a source',
      SessionEnd: 'a reason',
      SubagentStart: 'an agent',
      SubagentStop: 'an agent',
      PreCompact: 'a trigger',
      Setup: 'a trigger',
      UserPromptSubmit: undefined,
      Stop: undefined,
      TeammateIdle: undefined,
      TaskCompleted: undefined,
    });
  });

  it('[HK3] choose the hooks that run; an event about nothing runs all of them', async () => {
    const { runner, fire } = await openHookBench();
    const rule = (matcher: string) => ({
      matcher,
      hooks: [{ type: 'command', command: printing({ systemMessage: matcher }) }],
    });
    runner.addCommands(SETTINGS, {
      SessionStart: [rule('resume'), rule('startup|clear')],
      SubagentStop: [rule('Explore'), rule('Plan')],
      Stop: [rule('whatever')],
    });
    expect((await fire('SessionStart', { source: 'clear' })).systemMessages).toEqual(['startup|clear']);
    expect((await fire('SessionStart', {}, { matchOn: 'resume' })).systemMessages).toEqual(['resume']);
    const agent = { agent_id: 'a1', agent_type: 'Plan' };
    expect((await fire('SubagentStop', {}, { agent })).systemMessages).toEqual(['Plan']);
    expect((await fire('Stop')).systemMessages).toEqual(['whatever']);
  });
});
