import { type PermissionMode, parseRule, type RuleSets } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permission/decide.ts';

const NO_RULES: RuleSets = { allow: [], deny: [], ask: [] };

function decided(mode: PermissionMode, rules: Partial<RuleSets> = {}, isConfined = true): string {
  const facts = {
    mode,
    rules: { ...NO_RULES, ...rules },
    cwd: '/project',
    home: '/home',
    folders: ['/project'],
  };
  const traits = { isReadOnly: false, isEdit: false, needsPerson: false, isConfined };
  return decide({ toolName: 'Bash', input: { command: 'make' }, paths: [], ...traits }, facts).behavior;
}

describe('a command that is confined', () => {
  it('[SB12] runs unasked, except in plan mode', () => {
    expect(decided('default')).toBe('allow');
    expect(decided('dontAsk')).toBe('allow');
    expect(decided('plan')).toBe('ask');
    expect(decided('default', {}, false)).toBe('ask');
  });

  it('[SB12] obeys deny and ask rules all the same', () => {
    const make = [parseRule('Bash(make:*)')];
    expect(decided('default', { deny: make })).toBe('deny');
    expect(decided('default', { ask: make })).toBe('ask');
  });
});
