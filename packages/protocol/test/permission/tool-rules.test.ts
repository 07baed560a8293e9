import { describe, expect, it } from 'vitest';
import { matchRule, type PermissionBehavior, parseRule } from '../../src/index.ts';
import { CONTEXT } from './rule-sets.ts';

function matches(
  rule: string,
  toolName: string,
  input = {},
  behavior: PermissionBehavior = 'allow',
): boolean {
  return matchRule(parseRule(rule), { toolName, input }, CONTEXT, behavior);
}

describe('tool rules', () => {
  it.each([
    ['mcp__git', 'mcp__git__log', true],
    ['mcp__git', 'mcp__git', true],
    ['mcp__git', 'mcp__github__log', false],
    ['mcp__git__log', 'mcp__git__log', true],
    ['mcp__git__log', 'mcp__git__log__all', false],
    ['mcp__git__*', 'mcp__git__log', true],
    ['mcp__git__*', 'mcp__github__log', false],
    ['mcp__git__get_*', 'mcp__git__get_log', true],
    ['mcp__git__get_*', 'mcp__git__set_log', false],
    ['Glob', 'Bash', false],
    ['Bash', 'BashOutput', false],
  ])('[PR9] %s and the tool %s: %s', (rule, toolName, expected) => {
    expect(matches(rule, toolName)).toBe(expected);
  });

  it.each(['*', 'mcp__*', 'm*', 'mcp__g*', 'mcp__g*__log', 'mcp__*__log'])(
    '[PR9] %s denies and asks, but never allows',
    (rule) => {
      expect(matches(rule, 'mcp__git__log', {}, 'deny')).toBe(true);
      expect(matches(rule, 'mcp__git__log', {}, 'ask')).toBe(true);
      expect(matches(rule, 'mcp__git__log')).toBe(false);
    },
  );

  it.each([
    ['domain:example.com', 'https://example.com/x', true],
    ['domain:example.com', 'HTTP://EXAMPLE.COM', true],
    ['domain:EXAMPLE.com', 'https://example.com', true],
    ['domain:example.com', 'https://example.com:8080/x?y#z', true],
    ['domain:example.com', 'https://example.com./x', true],
    ['domain:example.com.', 'https://example.com/x', true],
    ['domain:example.com', 'https://ex%61mple.com', true],
    ['domain:example.com', 'https://user:pass@example.com', true],
    ['domain:example.com', 'https://evil-example.com', false],
    ['domain:example.com', 'https://example.com.evil.org', false],
    ['domain:example.com', 'https://example.com@evil.org', false],
    ['domain:example.com', 'https://example.com:x@evil.org', false],
    ['domain:example.com', 'https://evil.org/https://example.com', false],
    ['domain:example.com', 'https://evil.org#example.com', false],
    ['domain:example.com', 'https://evil.org\\@example.com', false],
    ['domain:example.com', 'https:\\\\evil.org/example.com', false],
    ['domain:example.com', 'https://api.example.com', false],
    ['domain:example.com', 'https://example.com%2eevil.org', false],
    ['domain:example.com', 'https://еxample.com', false],
    ['domain:example.com', 'file://example.com/etc/passwd', false],
    ['domain:example.com', 'ftp://example.com', false],
    ['domain:example.com', 'javascript:alert(1)//example.com', false],
    ['domain:example.com', 'example.com', false],
    ['domain:example.com', '', false],
    ['domain:*.example.com', 'https://api.example.com', true],
    ['domain:*.example.com', 'https://a.b.example.com', true],
    ['domain:*.example.com', 'https://example.com', false],
    ['domain:*.example.com', 'https://evilexample.com', false],
    ['domain:*.example.com', 'https://example.com.evil.org', false],
    ['domain:example.*', 'https://example.org', true],
    ['domain:example.*', 'https://example.evil.org', false],
    ['domain:api-*.example.com', 'https://api-1.example.com', true],
    ['domain:api-*.example.com', 'https://api-1.evil.example.com', false],
    ['domain:*', 'https://anything.org', true],
    ['domain:münchen.de', 'https://xn--mnchen-3ya.de', true],
    ['domain:xn--mnchen-3ya.de', 'https://münchen.de', true],
    ['domain:127.0.0.1', 'http://0x7f.1/', true],
  ])('[PR10] %s and %s: %s', (content, url, expected) => {
    expect(matches(`WebFetch(${content})`, 'WebFetch', { url })).toBe(expected);
  });

  it('[PR10] a denied domain is denied in every scheme and without one', () => {
    for (const url of ['ftp://example.com', 'example.com', 'example.com/x', '//example.com']) {
      expect(matches('WebFetch(domain:example.com)', 'WebFetch', { url }, 'deny')).toBe(true);
    }
  });

  it.each([
    ['Task(Explore)', 'Task', { subagent_type: 'Explore' }, true],
    ['Task(Explore)', 'Agent', { subagent_type: 'Explore' }, true],
    ['Agent(Explore)', 'Task', { subagent_type: 'Explorer' }, false],
    ['Agent(Explore)', 'Agent', {}, false],
    ['Agent(my-*)', 'Agent', { subagent_type: 'my-agent' }, true],
    ['Skill(deploy)', 'Skill', { skill: 'deploy' }, true],
    ['Skill(deploy)', 'Skill', { skill: 'deploy', args: 'prod' }, false],
    ['Skill(deploy:*)', 'Skill', { skill: 'deploy', args: 'prod' }, true],
    ['Skill(deploy *)', 'Skill', { skill: 'deploy' }, true],
    ['Skill(deploy:*)', 'Skill', { skill: 'deployment' }, false],
    ['Skill(tools:*)', 'Skill', { skill: 'tools:lint' }, true],
    ['Skill(deploy:*)', 'Skill', { skill: 'deploy', command: 'other' }, false],
    ['TodoWrite(x)', 'TodoWrite', { x: 'x' }, false],
  ])('[PR11] %s and %s %j: %s', (rule, toolName, input, expected) => {
    expect(matches(rule, toolName, input)).toBe(expected);
  });

  it('[PR11] a denied skill is denied with any arguments', () => {
    expect(matches('Skill(deploy)', 'Skill', { skill: 'deploy', args: 'prod' }, 'deny')).toBe(true);
  });

  it.each([
    ['Agent(model:opus)', 'Agent', { subagent_type: 'x', model: 'opus' }, true],
    ['Agent(model : op*)', 'Agent', { model: 'opus' }, true],
    ['Agent(model:opus)', 'Agent', { model: 'sonnet' }, false],
    ['Agent(model:*)', 'Agent', {}, false],
    ['Agent(nested:x)', 'Agent', { nested: { x: 'x' } }, false],
    ['Bash(run_in_background:true)', 'Bash', { command: 'ls', run_in_background: true }, true],
    ['Bash(command:ls)', 'Bash', { command: 'ls' }, false],
    ['Agent(toString:*)', 'Agent', {}, false],
  ])('[PR12] %s denies %s %j: %s', (rule, toolName, input, expected) => {
    expect(matches(rule, toolName, input, 'deny')).toBe(expected);
    expect(matches(rule, toolName, input, 'ask')).toBe(expected);
    expect(matches(rule, toolName, input, 'allow')).toBe(false);
  });
});
