import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { formatRule, PermissionRuleError, parseRule } from '../../src/index.ts';

describe('rule syntax', () => {
  it.each([
    ['Bash', { toolName: 'Bash' }],
    [' Bash ', { toolName: 'Bash' }],
    ['Bash(git:*)', { toolName: 'Bash', ruleContent: 'git:*' }],
    ['Bash(echo \\(hi\\))', { toolName: 'Bash', ruleContent: 'echo (hi)' }],
    ['Bash(echo (hi))', { toolName: 'Bash', ruleContent: 'echo (hi)' }],
    ['Bash(echo \\\\)', { toolName: 'Bash', ruleContent: 'echo \\' }],
    ['Bash(grep \\.ts)', { toolName: 'Bash', ruleContent: 'grep \\.ts' }],
    ['Bash(a\nb)', { toolName: 'Bash', ruleContent: 'a\nb' }],
    ['Read(~/.zshrc)', { toolName: 'Read', ruleContent: '~/.zshrc' }],
    ['mcp__server__*', { toolName: 'mcp__server__*' }],
    ['WebFetch(domain:example.com)', { toolName: 'WebFetch', ruleContent: 'domain:example.com' }],
  ])('[PR1] reads %j', (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
  });

  it('[PR1] reads back every rule that it writes', () => {
    const random = new SeededRandom(1);
    for (let round = 0; round < 2_000; round++) {
      const characters = Array.from({ length: 1 + random.below(12) }, () =>
        random.pick(['\\', '(', ')', '*', 'a', ' ', ':']),
      );
      const rule = { toolName: 'Skill', ruleContent: `x${characters.join('')}` };
      expect(parseRule(formatRule(rule))).toEqual(rule);
    }
  });

  it.each([
    '',
    '   ',
    '(git)',
    'Bash(git',
    'Bash git)',
    'Bash(git)x',
    'Bash(echo (x)',
    'Bash(echo x))',
    'Bash(echo \\)',
    'Bash(a)(b',
    'Ba sh(git)',
    'Bash()',
    'Bash( )',
    'Bash(:*)',
    'Bash( *)',
    'Bash(git\u0000)',
    'Read(!src)',
    'Read(../x)',
    'Read(src/../x)',
    'Read(/)',
    'Read(//)',
    'Edit(./)',
    'WebFetch(example.com)',
    'WebFetch(domain:)',
    'WebFetch(domain:example.com/path)',
    'WebFetch(domain:example.com:8080)',
    'WebFetch(domain:user@example.com)',
    'mcp__server(x)',
    'mcp__*(x)',
    '*(x)',
  ])('[PR2] refuses %j', (text) => {
    expect(() => parseRule(text)).toThrow(PermissionRuleError);
    expect(() => parseRule(text)).toThrow(expect.objectContaining({ code: 'PERMISSION_RULE_INVALID' }));
  });
});
