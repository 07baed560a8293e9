import { formatRule, judgeCall, parseRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { PermissionStore } from '../../src/permission/permission-store.ts';
import { readableRules } from '../../src/permission/readable-rules.ts';

const context = { cwd: '/work', home: '/home/x' };

function judge(toolName: string, rules: { allow?: readonly string[]; deny?: readonly string[] }): string {
  const parsed = (texts: readonly string[] = []) => texts.map((text) => parseRule(text));
  return judgeCall(
    { toolName, input: {} },
    { allow: parsed(rules.allow), deny: parsed(rules.deny), ask: [] },
    context,
  ).behavior;
}

describe('rules for the tools of MCP servers', () => {
  it('[PM3840] that cannot be read deny what begins like them', () => {
    const problems: string[] = [];
    const rules = { allow: ['mcp__My Server__read'], deny: ['mcp__My Server__delete'], ask: ['mcp__a(b)'] };
    const { allow, strict } = readableRules('settings.json', rules, (problem) => problems.push(problem));
    expect({ allow, strict }).toEqual({ allow: [], strict: { deny: ['mcp__My*'], ask: ['mcp__a*'] } });
    expect(judge('mcp__My_Server__delete', { deny: strict.deny })).toBe('deny');
    expect(problems.join('\n')).toContain('it holds for all of mcp__My*');
  });

  it.each(['*', 'mcp__*', 'mcp__a*', 'mcp__*__read', 'mcp__a_*__read', 'mcp__a', 'mcp__a__*'])(
    '[PM3842] with a wildcard allow the tools of no server but the one that they name: %s',
    (rule) => {
      expect(judge('mcp__a_b__read', { allow: [rule] })).toBe('none');
      expect(judge('mcp__ab__read', { allow: [rule] })).toBe('none');
      expect(judge('mcp__ab__read', { deny: [rule] })).toBe(
        ['mcp__a_*__read', 'mcp__a', 'mcp__a__*'].includes(rule) ? 'none' : 'deny',
      );
    },
  );
});

describe('rules of an answer', () => {
  it('[PM3841] that read as others when they are kept allow nothing, now or later', async () => {
    const problems: string[] = [];
    const kept: string[][] = [];
    const store = new PermissionStore({
      mode: 'default',
      onProblem: (problem) => problems.push(problem),
      keep: (_destination, { allow }) => {
        kept.push(allow.map(formatRule));
        return Promise.resolve();
      },
    });
    const rules = [
      { toolName: 'Bash(rm:*)' },
      { toolName: 'Bash', ruleContent: '' },
      { toolName: 'Read Edit' },
      { toolName: 'Bash', ruleContent: 'echo (a) \\(' },
    ];
    const destination = 'localSettings';
    await store.apply([
      { type: 'addRules', rules, behavior: 'allow', destination },
      { type: 'addRules', rules: [{ toolName: 'Bash(rm:*)' }], behavior: 'deny', destination: 'session' },
    ]);
    expect(kept[0]).toEqual(['Bash(echo \\(a\\) \\\\\\()']);
    expect(problems).toHaveLength(3);
    expect(judgeCall({ toolName: 'Bash', input: { command: 'rm x' } }, store.rules, context).behavior).toBe(
      'none',
    );
    await store.apply([
      { type: 'removeRules', rules: [{ toolName: 'Bash(rm:*)' }], behavior: 'allow', destination },
    ]);
    expect(problems).toHaveLength(3);
  });
});
