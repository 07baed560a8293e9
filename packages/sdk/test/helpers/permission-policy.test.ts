import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CanUseTool, permissionPolicy } from '../../src/index.ts';

const PLACE = { cwd: '/project', home: '/home/someone' };

async function decided(canUseTool: CanUseTool, toolName: string, input: Record<string, unknown>) {
  const { signal } = new AbortController();
  const result = await canUseTool(toolName, input, { signal, toolUseID: 't', requestId: 'r' });
  return result?.behavior === 'deny' ? result.message : result?.behavior;
}

describe('permissionPolicy', () => {
  const asked: string[] = [];
  const policy = permissionPolicy(PLACE)
    .allow('Read', 'Bash(git:*)', 'Edit(src/**)')
    .deny('Bash(git push:*)')
    .ask('Read(.env)')
    .otherwise(async (toolName) => {
      asked.push(toolName);
      return { behavior: 'deny', message: 'said the callback' };
    });

  it('[SD162] allow rules allow, deny rules deny, and what is left goes to the callback', async () => {
    expect(await decided(policy, 'Read', { file_path: '/project/a.ts' })).toBe('allow');
    expect(await decided(policy, 'Bash', { command: 'git status' })).toBe('allow');
    expect(await decided(policy, 'Bash', { command: 'git push origin' })).toBe(
      'Not permitted: the deny rule Bash(git push:*) matches.',
    );
    expect(await decided(policy, 'Edit', { file_path: '/project/src/a.ts' })).toBe('allow');
    expect(asked).toEqual([]);
    expect(await decided(policy, 'Read', { file_path: '/project/.env' })).toBe('said the callback');
    expect(await decided(policy, 'Bash', { command: 'git status; rm -r .' })).toBe('said the callback');
    expect(await decided(policy, 'Write', { file_path: '/project/x' })).toBe('said the callback');
    expect(asked).toEqual(['Read', 'Bash', 'Write']);
  });

  it('[SD624] what is no text is refused in words', () => {
    // @ts-expect-error -- a program without types
    expect(() => permissionPolicy().allow(42)).toThrow('This one is number.');
    // @ts-expect-error -- a program without types
    expect(() => permissionPolicy().deny(['Read', 'Grep'])).toThrow('This one is a list.');
    // @ts-expect-error -- a program without types
    expect(() => permissionPolicy().ask(undefined)).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID' }),
    );
  });

  it('[SD162] without a callback it is refused', async () => {
    const closed = permissionPolicy(PLACE).allow('Read').otherwise();
    expect(await decided(closed, 'Write', {})).toBe('Not permitted: no rule allows this use of Write.');
  });

  it('[SD163] a rule that cannot be understood is refused when the policy is made', () => {
    expect(() => permissionPolicy().deny('Bash(oops')).toThrow(
      expect.objectContaining({ code: 'PERMISSION_RULE_INVALID' }),
    );
  });

  it('[SD163] adding rules leaves the policy they were added to as it was', async () => {
    const base = permissionPolicy(PLACE).allow('Read');
    base.deny('Read');
    expect(await decided(base.otherwise(), 'Read', { file_path: '/project/a' })).toBe('allow');
  });

  it('[SD470] a link that points at nothing is followed, and a loop of links is refused', async () => {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-policy-')));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await symlink('/etc/not-there', join(cwd, 'dangling'));
    await symlink('loop', join(cwd, 'loop'));
    const inside = permissionPolicy({ cwd, home: '/home/me' }).allow('Edit(./**)').otherwise();
    expect(await decided(inside, 'Edit', { file_path: join(cwd, 'dangling') })).toContain('no rule allows');
    expect(await decided(inside, 'Edit', { file_path: join(cwd, 'loop') })).toContain(
      'loop of symbolic links',
    );
  });

  it('[SD164] a link leads around no rule', async () => {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-policy-')));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await symlink('/etc', join(cwd, 'harmless'));
    const linked = { file_path: join(cwd, 'harmless/new-file') };
    const inside = permissionPolicy({ cwd }).allow('Edit(./**)').otherwise();
    expect(await decided(inside, 'Edit', { file_path: join(cwd, 'own') })).toBe('allow');
    expect(await decided(inside, 'Edit', linked)).toContain('no rule allows');
    const outside = permissionPolicy({ cwd }).allow('Edit').deny('Edit(//etc/**)').otherwise();
    expect(await decided(outside, 'Edit', linked)).toContain('deny rule');
  });
});
