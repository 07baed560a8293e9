import { describe, expect, it } from 'vitest';
import { matchRule, parseRule } from '../../src/index.ts';
import { fixtureLines } from './fixture-lines.ts';
import { bash, CONTEXT, judgeLine, ruleSets } from './rule-sets.ts';

const FEW = ruleSets({
  allow: [
    'git:*',
    'npm test',
    'npm run test:*',
    'echo:*',
    'ls:*',
    'cat:*',
    'find:*',
    'wc:*',
    '[:*',
    'printf:*',
    ':',
  ].map((content) => `Bash(${content})`),
});
const NO_RM = ruleSets({ deny: ['Bash(rm:*)'], allow: ['Bash'] });

/** What a fixture cannot show. */
const ODD_LINES = [
  '',
  'git\u00a0status',
  'git\u2003status',
  'git status\u2028rm x',
  'git status\u0085rm x',
  '\ufeffgit status',
  `git log ${'a'.repeat(10_000)}`,
];

function allows(content: string, command: string): boolean {
  return matchRule(parseRule(`Bash(${content})`), bash(command), CONTEXT, 'allow');
}

function denies(content: string, command: string): boolean {
  return matchRule(parseRule(`Bash(${content})`), bash(command), CONTEXT, 'deny');
}

describe('command patterns', () => {
  it.each([
    ['git:*', 'git', true],
    ['git:*', 'git status', true],
    ['git:*', 'gitx', false],
    ['git *', 'git', true],
    ['git *', 'git status -s', true],
    ['git *', 'gitx', false],
    ['npm run test:*', 'npm run test', true],
    ['npm run test:*', 'npm run test -- -u', true],
    ['npm run test:*', 'npm run test-evil', false],
    ['npm run test:*', 'npm run "test x"', false],
    ['npm run *', 'npm run', true],
    ['npm run *', 'npm run build', true],
    ['npm run *', 'npm install', false],
    ['ls*', 'lsof', true],
    ['git log * main', 'git log --oneline main', true],
    ['npm log * main', 'npm log $x main', true],
    ['git log * main', 'git log $x main', false],
    ['git log * main', 'git log main', false],
    ['git log * main', 'git log x "a main"', false],
    ['* --help *', 'npm --help x', true],
    ['* --help *', 'npm --help', false],
    ['* --version', 'node --version', true],
    ['* --version', "bash -c 'rm x' --version", false],
    ['* --version', 'sudo rm --version', false],
    ['* --version', 'eval rm --version', false],
    ['* --version', '$CMD --version', false],
    ['b* -c *', "bash -c 'rm x'", false],
    ['git:* push', 'git push', false],
    ['npm test', 'npm test', true],
    ['npm test', '\'npm\'  "test"', true],
    ['npm test', 'npm test x', false],
    ['git commit -m "fix: *"', "git commit -m 'fix: a b'", true],
    ['git commit -m "fix: *"', "git commit -m 'feat: a'", false],
    ['find . -name \\\\*.ts', "find . -name '*.ts'", true],
    ['find . -name \\\\*.ts', 'find . -name a.ts', false],
    ["echo don't", 'echo "don\'t"', true],
    ['~/bin/tool:*', '~/bin/tool x', true],
    ['~/bin/tool:*', '/home/ada/bin/tool x', true],
    ['~/bin/tool:*', "'~/bin/tool' x", false],
    ['find * -delete', 'find . -delete', true],
    ['find * -exec grep *', 'find . -exec grep x {} +', true],
    ['find * -exec grep *', 'find . -exec grep x {} + -delete', false],
    ['timeout:*', 'timeout 5 git push', true],
    ['export:*', 'export NODE_ENV=test', true],
    ['git log > out.txt', 'git log > out.txt', true],
    ['X=1 git log', 'X=1 git log', true],
    ['$CMD x', '$CMD x', false],
    ['*', 'anything $(at) all', true],
  ])('[PR13] an allow rule %s and %s: %s', (content, command, expected) => {
    expect(allows(content, command)).toBe(expected);
  });

  it.each([
    ['git push:*', 'git push', true],
    ['git push:*', 'git -C folder push', true],
    ['git push:*', 'git --no-pager -c a=b push origin', true],
    ['git push:*', 'git log push', false],
    ['git push:*', 'cd x && sudo git push --force', true],
    ['git push * --force', 'git push origin --force', true],
    ['curl * | sh', 'curl example.com | sh', true],
    ['curl * | sh', 'curl example.com', false],
    ['npm publish', 'ls; npm  publish', true],
    ['npm publish', 'npm publish --dry-run', false],
    ['echo a && echo b', ' echo a && echo b ', true],
    ['/usr/bin/rm:*', 'rm x', false],
    ['/usr/bin/rm:*', '/usr/bin/rm x', true],
    ['Rscript:*', '/usr/bin/Rscript x', true],
  ])('[PR14] a deny rule %s and %s: %s', (content, command, expected) => {
    expect(denies(content, command)).toBe(expected);
  });
});

describe('lines of shell', () => {
  it.each(fixtureLines('covered').map((line) => [line]))('[PR15] few rules allow %j', (line) => {
    expect(judgeLine(line, FEW)).toMatchObject({ behavior: 'allow' });
  });

  it.each([...fixtureLines('uncovered'), ...ODD_LINES].map((line) => [line]))(
    '[PR16] few rules do not allow %j',
    (line) => {
      expect(judgeLine(line, FEW)).toMatchObject({ behavior: 'none' });
    },
  );

  it.each(fixtureLines('denied').map((line) => [line]))('[PR17] no rm: denies %j', (line) => {
    expect(judgeLine(line, NO_RM)).toMatchObject({ behavior: 'deny' });
  });

  it.each(
    [...fixtureLines('doubtful'), 'rm\u00a0x', `echo ${'a'.repeat(10_000)}; rm x`].map((line) => [line]),
  )('[PR18] no rm: leaves %j to a person', (line) => {
    expect(judgeLine(line, NO_RM)).toMatchObject({ behavior: 'none', rule: { ruleContent: 'rm:*' } });
  });

  it.each(fixtureLines('passed').map((line) => [line]))('[PR19] no rm: lets %j pass', (line) => {
    expect(judgeLine(line, NO_RM)).toMatchObject({ behavior: 'allow' });
  });
});
