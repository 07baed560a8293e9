import { describe, expect, it } from 'vitest';
import { matchRule, type PermissionBehavior, parseRule } from '../../src/index.ts';
import { CONTEXT } from './rule-sets.ts';

function matches(
  rule: string,
  path: string,
  behavior: PermissionBehavior = 'allow',
  toolName = 'Read',
): boolean {
  const field =
    { Grep: 'path', Glob: 'path', LS: 'path', NotebookEdit: 'notebook_path' }[toolName] ?? 'file_path';
  return matchRule(parseRule(rule), { toolName, input: { [field]: path } }, CONTEXT, behavior);
}

describe('path rules', () => {
  it.each([
    [`Read(//**/${'a/'.repeat(900)}b)`, `/${'a/'.repeat(1_000_000)}`],
    [`Read(//**/${'a*/'.repeat(600)}b)`, `/${'a/'.repeat(1_000_000)}`],
    [`Read(//*${'a'.repeat(1900)}b)`, `/${'a'.repeat(10_000_000)}`],
  ])(
    '[PR2086] a pattern and a path of no use are not compared: no allow rule covers it, a deny rule does',
    (rule, path) => {
      expect([matches(rule, path, 'allow'), matches(rule, path, 'deny')]).toEqual([false, true]);
    },
  );

  it.each([
    ['Read(//etc/**)', '/etc/passwd', true],
    ['Read(//etc/**)', '/project/app/etc/passwd', false],
    ['Read(~/notes/*.md)', '/home/ada/notes/a.md', true],
    ['Read(~/notes/*.md)', '~/notes/a.md', true],
    ['Read(~/notes/*.md)', '/home/eve/notes/a.md', false],
    ['Read(/src/**)', '/project/src/a.ts', true],
    ['Read(/src/**)', '/project/app/src/a.ts', false],
    ['Read(/src/**)', '/src/a.ts', false],
    ['Read(src/**)', '/project/app/src/a.ts', true],
    ['Read(src/**)', 'src/a.ts', true],
    ['Read(./src/**)', './src/a.ts', true],
    ['Read(src/**)', '/project/src/a.ts', false],
    ['Read(./.env)', '/project/app/.env', true],
    ['Read(./.env)', '/project/app/sub/.env', false],
  ])('[PR3] %s and %s: %s', (rule, path, expected) => {
    expect(matches(rule, path)).toBe(expected);
  });

  it('[PR3] takes a leading slash from the folder of the rule where it has one', () => {
    const call = { toolName: 'Read', input: { file_path: '/home/ada/.claude/x/y' } };
    expect(
      matchRule({ ...parseRule('Read(/x/**)'), root: '/home/ada/.claude' }, call, CONTEXT, 'allow'),
    ).toBe(true);
    expect(matchRule(parseRule('Read(/x/**)'), call, CONTEXT, 'allow')).toBe(false);
    const { root: _, ...rootless } = CONTEXT;
    const inCwd = { toolName: 'Read', input: { file_path: 'x/y' } };
    expect(matchRule(parseRule('Read(/x/**)'), inCwd, rootless, 'allow')).toBe(true);
  });

  it.each([
    ['Read(src/**)', 'src/../secret'],
    ['Read(src/**)', 'src/a/../../secret'],
    ['Read(src/**)', '/project/app/src/../../../etc/passwd'],
    ['Read(src/**)', 'src/..'],
    ['Read(**)', '../x'],
    ['Read(**)', '~/x'],
    ['Read(**)', '/etc/passwd'],
    ['Read(*)', '/etc/passwd'],
    ['Read(//project/app/src/**)', '/project/app/src/../x'],
  ])('[PR4] %s does not reach %s', (rule, path) => {
    expect(matches(rule, path)).toBe(false);
  });

  it.each([
    ['Read(src/**)', './src/./b/../a.ts'],
    ['Read(src/**)', 'lib/../src/a.ts'],
    ['Read(src/**)', '//project///app/src/a.ts'],
  ])('[PR4] %s finds %s', (rule, path) => {
    expect(matches(rule, path)).toBe(true);
  });

  it.each([
    ['Read(*.env)', 'a.env', true],
    ['Read(*.env)', 'deep/down/a.env', true],
    ['Read(*.env)', 'a.envx', false],
    ['Read(.env)', 'deep/.env', true],
    ['Read(src)', 'src/deep/a.ts', true],
    ['Read(src/)', 'src/a.ts', true],
    ['Read(src/)', 'src', false],
    ['Read(src/*)', 'src/a', true],
    ['Read(src/*.ts)', 'src/deep/a.ts', false],
    ['Read(src/**/*.ts)', 'src/a.ts', true],
    ['Read(src/**/*.ts)', 'src/a/b/c.ts', true],
    ['Read(src/**/*.ts)', 'src/a/b/c.js', false],
    ['Read(**/src/**)', 'lib/src/a', true],
    ['Read(src/**)', 'lib/src/a', false],
    ['Read(src/**)', 'src', true],
    ['Read(a?c)', 'abc', true],
    ['Read(a?c)', 'a/c', false],
    ['Read(a[bc]d)', 'acd', true],
    ['Read(a[!bc]d)', 'acd', false],
    ['Read(a[^bc]d)', 'axd', true],
    ['Read(a[0-9]d)', 'a5d', true],
    ['Read(a[]x]d)', 'a]d', true],
    ['Read(a[\\\\]]d)', 'a]d', true],
    ['Read(a[d)', 'a[d', true],
    ['Read(a\\\\*d)', 'a*d', true],
    ['Read(a\\\\*d)', 'abd', false],
    ['Read(a**d)', 'abcd', true],
    ['Read(a**d)', 'ab/cd', false],
    ['Read(*.ts)', '.ts', true],
    ['Read(😀*)', '😀x', true],
    ['Read(?)', '😀', true],
  ])('[PR5] %s and %s: %s', (rule, path, expected) => {
    expect(matches(rule, path)).toBe(expected);
  });

  it.each([
    ['Edit', ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'], ['Read', 'Grep', 'Glob', 'Bash']],
    ['Read', ['Read', 'Grep', 'Glob', 'LS'], ['Edit', 'Write', 'NotebookEdit', 'Bash']],
    ['Write', ['Write'], ['Edit', 'NotebookEdit', 'Read']],
    ['Grep', ['Grep'], ['Read', 'Glob', 'Edit']],
  ])('[PR6] %s(src/**) covers %j and not %j', (named, covered, others) => {
    for (const tool of covered) expect(matches(`${named}(src/**)`, 'src/a', 'allow', tool)).toBe(true);
    for (const tool of others) expect(matches(`${named}(src/**)`, 'src/a', 'allow', tool)).toBe(false);
  });

  it('[PR6] a denied read is a denied edit', () => {
    expect(matches('Read(.env)', '.env', 'deny', 'Edit')).toBe(true);
    expect(matches('Read(.env)', '.env', 'deny', 'Write')).toBe(true);
    expect(matches('Read(.env)', '.env', 'ask', 'Write')).toBe(false);
    expect(matches('Read', '.env', 'deny', 'Write')).toBe(false);
  });

  it.each([
    [{ pattern: 'src/*.ts' }, true],
    [{ pattern: '*.ts', path: 'src' }, true],
    [{ pattern: '**/*.ts', path: 'src/deep' }, true],
    [{ pattern: '*.ts' }, false],
    [{ pattern: '../secret/*', path: 'src' }, false],
    [{ pattern: '*/../../secret/*', path: 'src' }, false],
    [{ pattern: '/etc/*', path: 'src' }, false],
    [{ pattern: '~/*', path: 'src' }, false],
    [{ pattern: '{/etc,x}/*', path: 'src' }, false],
    [{}, false],
  ])('[PR6] Read(src/**) and the glob %j: %s', (input, expected) => {
    expect(matchRule(parseRule('Read(src/**)'), { toolName: 'Glob', input }, CONTEXT, 'allow')).toBe(
      expected,
    );
  });

  it('[PR6] judges a notebook by the path that the tool uses', () => {
    const input = { file_path: 'src/a', notebook_path: '/etc/x' };
    expect(matchRule(parseRule('Edit(src/**)'), { toolName: 'NotebookEdit', input }, CONTEXT, 'allow')).toBe(
      false,
    );
    expect(matchRule(parseRule('Edit(src/**)'), { toolName: 'Edit', input: {} }, CONTEXT, 'allow')).toBe(
      false,
    );
  });

  it.each([
    ['Read(.env)', '.ENV'],
    ['Read(caf\u00e9)', 'cafe\u0301'],
    ['Read(secrets/**)', 'deep/secrets/key'],
    ['Read(secrets/**)', 'Secrets/key'],
  ])('[PR7] %s denies %j but would not allow it', (rule, path) => {
    expect(matches(rule, path, 'deny')).toBe(true);
    expect(matches(rule, path, 'ask')).toBe(true);
    expect(matches(rule, path, 'allow')).toBe(false);
  });

  it('[PR8] no pattern and no path takes long', () => {
    matches(`Read(${'*a'.repeat(2_000)}b)`, 'a'.repeat(4_000));
    matches(`Read(${'**/a/'.repeat(500)}b)`, 'a/'.repeat(2_000));
    expect(matches(`Read(${'[a-z]*'.repeat(500)}!)`, 'a'.repeat(4_000))).toBe(false);
  });
});
