import { describe, expect, it } from 'vitest';
import { judgeCall } from '../../src/index.ts';
import { bash, CONTEXT, judgeLine, ruleSets } from './rule-sets.ts';

describe('judgement', () => {
  it('[PR20] deny comes before ask, ask before allow, however narrow the rules are', () => {
    const all = ruleSets({
      deny: ['Bash(git push:*)'],
      ask: ['Bash(git:*)'],
      allow: ['Bash(git push)', 'Bash'],
    });
    expect(judgeLine('git push', all)).toMatchObject({ behavior: 'deny', rule: all.deny[0] });
    expect(judgeLine('git log', all)).toMatchObject({ behavior: 'ask', rule: all.ask[0] });
    expect(judgeLine('ls', all)).toMatchObject({ behavior: 'allow', rule: all.allow[1] });
    expect(judgeLine('ls', ruleSets({}))).toMatchObject({ behavior: 'none' });
  });

  it('[PR20] asks for a line when any command of it is to be asked for', () => {
    const rules = ruleSets({ ask: ['Bash(npm publish:*)'], allow: ['Bash(npm:*)', 'Bash(echo:*)'] });
    expect(judgeLine('echo a && npm publish', rules).behavior).toBe('ask');
    expect(judgeLine('echo a && npm test', rules).behavior).toBe('allow');
  });

  it('[PR20] names the allow rule that covers the line or its first command', () => {
    const rules = ruleSets({ allow: ['Bash(ls:*)', 'Bash(git:*)', 'Bash(git log > x)'] });
    expect(judgeLine('git log', rules).rule).toBe(rules.allow[1]);
    expect(judgeLine('git log | ls', rules).rule).toBe(rules.allow[1]);
    expect(judgeLine('git log > x', rules).rule).toBe(rules.allow[2]);
  });

  it('[PR21] names the commands that are not covered, and why a covered line is not allowed', () => {
    const rules = ruleSets({ allow: ['Bash(git:*)', 'Bash(echo:*)'] });
    expect(judgeLine('git log | head -3 && echo "$(date)"', rules)).toMatchObject({
      behavior: 'none',
      uncovered: ['head -3', 'date'],
    });
    expect(judgeLine('git log > out.txt', rules)).toEqual({
      behavior: 'none',
      uncovered: [],
      reason: 'the line writes to out.txt',
    });
    expect(judgeLine('git log "', rules).reason).toContain('syntax error');
  });

  it('[PR22] a deny or ask rule that cannot be understood holds for its whole tool, an allow rule for nothing', () => {
    const broken = [{ toolName: 'Read', ruleContent: '!src' }];
    const read = { toolName: 'Read', input: { file_path: 'src/a' } };
    const judge = (rules: object) => judgeCall(read, { ...ruleSets({}), ...rules }, CONTEXT).behavior;
    expect(judge({ deny: broken, allow: [{ toolName: 'Read' }] })).toBe('deny');
    expect(judge({ ask: broken, allow: [{ toolName: 'Read' }] })).toBe('ask');
    expect(judge({ allow: broken })).toBe('none');
    expect(judge({ deny: [{ toolName: 'WebFetch', ruleContent: 'x' }], allow: [{ toolName: 'Read' }] })).toBe(
      'allow',
    );
  });

  it('[PR22] an allow rule that cannot be understood does not spoil the others', () => {
    const rules = {
      ...ruleSets({}),
      allow: [
        { toolName: 'Bash', ruleContent: ':*' },
        { toolName: 'Bash', ruleContent: 'ls' },
      ],
    };
    expect(judgeLine('ls', rules).behavior).toBe('allow');
    expect(judgeLine('rm', rules).behavior).toBe('none');
  });

  it.each([
    ['git $SUB origin', 'none'],
    ['git "$SUB"', 'none'],
    ['git pu*', 'none'],
    ['git {push,origin}', 'none'],
    ['git log $SUB', 'none'],
    ['git commit $SUB', 'allow'],
    ['git -C "$DIR" log', 'none'],
  ])('[PR23] allow git, deny git push: %s is %s', (command, expected) => {
    const rules = ruleSets({ deny: ['Bash(git push:*)'], allow: ['Bash(git:*)'] });
    expect(judgeLine(command, rules).behavior).toBe(expected);
  });

  it('[PR23] an argument that bash expands is not known by its text', () => {
    const rules = ruleSets({ deny: ['Bash(tool x=/home/ada/y)'], allow: ['Bash'] });
    expect(judgeLine('tool x=~/y', rules).behavior).toBe('none');
    expect(judgeLine('tool x=/y', rules).behavior).toBe('allow');
  });

  it('[PR24] a call whose input is not what the tool expects is allowed by the tool name only', () => {
    for (const input of [{}, { command: 1 }, { command: null }]) {
      const call = { toolName: 'Bash', input };
      expect(judgeCall(call, ruleSets({ allow: ['Bash(git:*)'] }), CONTEXT).behavior).toBe('none');
      expect(judgeCall(call, ruleSets({ allow: ['Bash'] }), CONTEXT).behavior).toBe('allow');
    }
    expect(
      judgeCall({ ...bash('git'), toolName: 'bash' }, ruleSets({ allow: ['Bash'] }), CONTEXT).behavior,
    ).toBe('none');
  });
});
