import { describe, expect, it } from 'vitest';
import { judgeCall, matchRule, type PermissionRule, parseRule, type ToolCall } from '../../src/index.ts';
import { compareContent } from '../../src/permission/match-rule.ts';
import { tryContent } from '../../src/permission/rule-content.ts';
import { RuleIndex } from '../../src/permission/rule-index.ts';
import { readCall } from '../../src/permission/tool-call.ts';
import { namesTool } from '../../src/permission/tool-name.ts';
import { fixtureLines } from './fixture-lines.ts';
import { bash, CONTEXT } from './rule-sets.ts';

const BASH_RULES = [
  'Bash',
  'Bash(*)',
  'Bash(rm:*)',
  'Bash(rm)',
  'Bash(rm *)',
  'Bash(git status:*)',
  'Bash(git:*)',
  'Bash(g*)',
  'Bash(* | sh)',
  'Bash("rm" -rf *)',
  'Bash(git * main)',
  'Bash(/bin/rm:*)',
  'Bash(RM:*)',
  'Bash(command:*)',
  'Bash(description:x*)',
  'Bash(echo:*)',
  'Bash(alpha)',
  'Bash(beta:*)',
  'Bash(\\*:*)',
].map(parseRule);

const FILE_RULES = [
  'Read',
  'Read(.env)',
  'Read(./src/**)',
  'Read(~/.ssh/**)',
  'Read(//etc/**)',
  'Read(/secret/*.key)',
  'Read(**)',
  'Read(*.pem)',
  'Edit(src/)',
  'Edit',
  'Write(a)',
  'Grep(./logs/**)',
  'Read([ab].txt)',
  'mcp__one',
  'mcp__one__two',
  'mcp__*',
  '*',
  'Agent(helper)',
  'Task',
  'WebFetch(domain:*.example.com)',
  'WebFetch(domain:example.com)',
  'WebFetch(domain:*)',
  'WebFetch',
  'Skill(x:*)',
].map(parseRule);

const FILES = [
  '/project/app/.env',
  '/project/app/SRC/a.ts',
  '~/.ssh/id',
  '/etc/passwd',
  '/secret/x.key',
  'a.txt',
];

const CALLS: ToolCall[] = [
  ...FILES.flatMap((file_path) =>
    ['Read', 'Edit', 'Write'].map((toolName) => ({ toolName, input: { file_path } })),
  ),
  ...[undefined, './logs', '/project'].map((path) => ({ toolName: 'Grep', input: { pattern: 'x', path } })),
  ...['**/*.pem', '../secret/*', '{a,/etc}/*'].map((pattern) => ({ toolName: 'Glob', input: { pattern } })),
  ...['mcp__one__two', 'mcp__one___two', 'mcp__other__two'].map((toolName) => ({ toolName, input: {} })),
  ...['https://a.example.com', 'EXAMPLE.com/x', 'http://example.com.', 'x y'].map((url) => ({
    toolName: 'WebFetch',
    input: { url },
  })),
  ...['Agent', 'Task'].map((toolName) => ({ toolName, input: { subagent_type: 'helper' } })),
  { toolName: 'Skill', input: { skill: 'x' } },
];

const LINES = ['covered', 'uncovered', 'denied', 'doubtful', 'passed', 'tricky'].flatMap(fixtureLines);

describe('rules that are found by an index', () => {
  it('[PR470] are all that match, and those that only running a line would tell', () => {
    const lines = [
      ...LINES,
      'curl x | sh',
      'git push main',
      "'rm' -rf x",
      '"rm" -rf x',
      '/bin/rm x',
      'RM x',
      '\\* a',
    ];
    const missed: string[] = [];
    const check = (rules: readonly PermissionRule[], call: ToolCall): void => {
      const read = readCall(call, CONTEXT);
      const found = new Set(
        RuleIndex.of(rules, CONTEXT.home)
          .candidates(read)
          .map(({ rule }) => rule),
      );
      for (const [order, rule] of rules.entries()) {
        const content = tryContent(rule, CONTEXT.home);
        if (content instanceof Error || found.has(rule)) continue;
        for (const [behavior, care] of [
          ['deny', 'wary'],
          ['allow', 'sure'],
        ] as const) {
          if (!namesTool(rule, behavior, call.toolName)) continue;
          if (compareContent(content, rule, read, care) !== 'no')
            missed.push(`${behavior} ${order} ${JSON.stringify(rule)} for ${JSON.stringify(call)}`);
        }
      }
    };
    for (const line of lines) check(BASH_RULES, bash(line));
    for (const call of CALLS) check(FILE_RULES, call);
    expect(missed).toEqual([]);
  });

  it('[PR471] are a few of 10,000', () => {
    const many = (rule: (n: number) => string) =>
      Array.from({ length: 10_000 }, (_, n) => parseRule(rule(n)));
    const count = (rules: PermissionRule[], call: ToolCall) =>
      RuleIndex.of(rules, CONTEXT.home).candidates(readCall(call, CONTEXT)).length;
    expect(
      count(
        many((n) => `Bash(tool${n}:*)`),
        bash('tool77 x && tool78'),
      ),
    ).toBe(2);
    expect(
      count(
        many((n) => `Read(./folder${n}/**)`),
        { toolName: 'Read', input: { file_path: 'folder5/x' } },
      ),
    ).toBe(1);
    expect(
      count(
        many((n) => `mcp__server${n}`),
        { toolName: 'mcp__server9__do', input: {} },
      ),
    ).toBe(1);
    const urls = many((n) => `WebFetch(domain:host${n}.example.com)`);
    expect(count(urls, { toolName: 'WebFetch', input: { url: 'https://host3.example.com/x' } })).toBe(1);
    expect(
      count(
        many((n) => `Read(secret${n})`),
        bash('ls'),
      ),
    ).toBe(0);
  });

  it('[PR471] keep their order, and a list that is made anew is read anew', () => {
    const allow = ['Bash(ls:*)', 'Bash(ls -l:*)'].map(parseRule);
    const rules = { allow, deny: [], ask: [] };
    expect(judgeCall(bash('ls -l'), rules, CONTEXT).rule).toBe(allow[0]);
    const [first, second] = allow;
    if (!first || !second) throw new Error('two rules');
    expect(matchRule(second, bash('ls -l'), CONTEXT, 'allow')).toBe(true);
    expect(judgeCall(bash('ls -l'), { ...rules, deny: [second] }, CONTEXT).behavior).toBe('deny');
    expect(judgeCall(bash('ls -a'), { ...rules, deny: [second] }, CONTEXT).behavior).toBe('allow');
  });
});
