import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { formatRule, judgeCall, suggestRules, type ToolCall } from '../../src/index.ts';
import { fixtureLines } from './fixture-lines.ts';
import { bash, CONTEXT, ruleSets } from './rule-sets.ts';
import { randomLine } from './shell-generator.ts';

function suggest(call: ToolCall): string[] {
  return suggestRules(call, CONTEXT).map(formatRule);
}

describe('suggestions', () => {
  it.each([
    ['git status', ['Bash(git status:*)']],
    ['git status -s && ls src', ['Bash(git status:*)', 'Bash(ls:*)']],
    ['git status -s && npm run test', ['Bash(git status -s && npm run test)']],
    ['npm test', ['Bash(npm test)']],
    ['make build', ['Bash(make build)']],
    ['sort notes.txt', ['Bash(sort:*)']],
    ['sort -o x notes.txt', ['Bash(sort -o x notes.txt)']],
    ['git diff --output=x', ['Bash(git diff --output=x)']],
    ['ls src', ['Bash(ls:*)']],
    ['ls a; ls b', ['Bash(ls:*)']],
    ['gh pr view 1', ['Bash(gh pr view:*)']],
    ['node scripts/a.js x', ['Bash(node scripts/a.js x)']],
    ['find . -name a', ['Bash(find:*)']],
    ['[ -f a ]', ['Bash([:*)']],
    ['git log > out.txt', ['Bash(git log > out.txt)']],
    ['X=1 make', ['Bash(X=1 make)']],
    ['rm -rf build', ['Bash(rm -rf build)']],
    ['find . -delete', ['Bash(find . -delete)']],
    ['git -C x status', ['Bash(git -C x status)']],
    ['node -e "1"', ['Bash(node -e "1")']],
    ['echo (a)'.replace(/[()]/g, '\\$&'), ['Bash(echo:*)']],
    ['sudo ls', ['Bash(sudo ls)']],
    ["bash -c 'ls'", ["Bash(bash -c 'ls')"]],
    ['$CMD x', []],
    ['rm *', []],
    ['echo "', []],
    ['', []],
    ['a; b; c; d; e; f'.replaceAll(';', ' &&'), ['Bash(a && b && c && d && e && f)']],
  ])('[PR25] for %j offers %j', (command, expected) => {
    expect(suggest(bash(command))).toEqual(expected);
  });

  it.each<[ToolCall, string[]]>([
    [{ toolName: 'Read', input: { file_path: '/project/app/src/a.ts' } }, ['Read(./src/**)']],
    [{ toolName: 'Edit', input: { file_path: 'a.ts' } }, ['Edit(./**)']],
    [{ toolName: 'Write', input: { file_path: 'src/[id]/a.ts' } }, ['Edit(./src/\\\\[id\\\\]/**)']],
    [{ toolName: 'Read', input: { file_path: '/etc/nginx/a.conf' } }, ['Read(//etc/nginx/**)']],
    [{ toolName: 'Read', input: { file_path: '/home/ada/notes/a.md' } }, ['Read(~/notes/**)']],
    [{ toolName: 'Read', input: { file_path: '/home/ada/.zshrc' } }, ['Read(~/.zshrc)']],
    [{ toolName: 'Read', input: { file_path: '/a' } }, ['Read(//a)']],
    [{ toolName: 'Grep', input: { path: 'src' } }, ['Read(./src/**)']],
    [{ toolName: 'Grep', input: {} }, ['Read(./**)']],
    [{ toolName: 'Grep', input: { path: '/' } }, []],
    [{ toolName: 'Glob', input: { pattern: '~/*' } }, []],
    [{ toolName: 'NotebookEdit', input: { notebook_path: 'src/a.ipynb' } }, ['Edit(./src/**)']],
    [{ toolName: 'Read', input: {} }, []],
    [
      { toolName: 'WebFetch', input: { url: 'https://Docs.Example.com:8080/x' } },
      ['WebFetch(domain:docs.example.com)'],
    ],
    [{ toolName: 'WebFetch', input: { url: 'nonsense' } }, []],
    [{ toolName: 'Task', input: { subagent_type: 'Explore' } }, ['Task(Explore)']],
    [{ toolName: 'Skill', input: { skill: 'deploy', args: 'prod' } }, ['Skill(deploy:*)']],
    [{ toolName: 'Skill', input: {} }, []],
    [{ toolName: 'mcp__git__log', input: {} }, ['mcp__git__log']],
    [{ toolName: 'WebSearch', input: { query: 'x' } }, ['WebSearch']],
  ])('[PR25] for %j offers %j', (call, expected) => {
    expect(suggest(call)).toEqual(expected);
  });

  it.each(
    [
      'sh bash zsh eval exec sudo env xargs source . command timeout nohup nice trap alias export ssh watch npx curl rm',
      'awk gawk mawk sed vim vi emacs gdb bunx uvx socat osascript make npm yarn pnpm bun deno node python python3 perl ruby',
      'php lua java go cargo docker kubectl tar rsync scp less more man parallel strace script screen tmux expect tee dd cp mv',
      'jq fd date hostname unknown-program ./script.sh',
    ].flatMap((names) => names.split(' ')),
  )('[PR26] offers %s only as it was written', (program) => {
    for (const line of [program, `${program} x`, `${program} -c x`, `\\${program} x`, `ls && ${program} x`]) {
      expect(suggest(bash(line)).join()).not.toMatch(/:\*/);
    }
  });

  it.each(['python', 'node', 'git', 'npm', 'docker', 'aws'])('[PR26] never offers all of %s', (program) => {
    for (const line of [program, `${program} x y z`, `${program} -c x`, `${program} $x`]) {
      expect(suggest(bash(line))).not.toContain(`Bash(${program}:*)`);
    }
  });

  it('[PR27] what is offered covers the call it was offered for', () => {
    const random = new SeededRandom(27);
    const lines = [...fixtureLines('covered'), ...fixtureLines('uncovered'), ...fixtureLines('denied')];
    const generated = Array.from({ length: 2_000 }, () => randomLine(random));
    let offered = 0;
    for (const line of [...lines, ...generated]) {
      const allow = suggestRules(bash(line), CONTEXT);
      if (allow.length === 0) continue;
      offered++;
      const texts = allow.map(formatRule);
      expect(judgeCall(bash(line), ruleSets({ allow: texts }), CONTEXT), line).toMatchObject({
        behavior: 'allow',
      });
    }
    expect(offered).toBeGreaterThan(500);
  });
});
