import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineScene } from './line-scene.ts';

const { scene, behaviorOf } = lineScene('slow-lines');
const deny = ['Read(.env)'];

/** Until these were mended each of them took hours: a decision that hangs ends at the limit of the test. */
describe('a line that is made to be waited for', () => {
  it.each([
    ['spaces between commands of sed', `sed -n 'p${';   p'.repeat(300)} !@' README.md`],
    ['lines between commands of sed', `sed -n 'p${'\n  \n  p'.repeat(200)}@' README.md`],
    ['braces of sed', `sed -n '${'{ '.repeat(500)}@' README.md`],
    ['addresses of sed', `sed '${'1 , 2 ! '.repeat(200)}' README.md`],
    ['folders that may be one or the other', `${'cd a;'.repeat(1900)}ls`],
    ['colons in the name of a commit', `git show ${':a'.repeat(4900)}`],
  ])('[PM3834] is asked about at once: %s', (_what, line) => {
    expect(behaviorOf(line)).toBe('ask');
    expect(behaviorOf(line, { allow: ['Bash(cd:*)', 'Bash(ls:*)'] })).toBe('ask');
  });

  it('[PM3834] has patterns that fit a long name in many ways, in the line or in a file for ripgrep', () => {
    const many = `${'*a'.repeat(40)}*b`;
    mkdirSync(join(scene.folder, 'long'));
    writeFileSync(join(scene.folder, 'long', 'a'.repeat(200)), '');
    writeFileSync(join(scene.folder, 'long', `.${'a'.repeat(200)}`), '');
    writeFileSync(join(scene.folder, 'long/.gitignore'), `!.${many}\n!.a*\n`);
    for (const line of [`ls long/${many}`, `ls long/${many.replaceAll('*', '[a]*')}`, 'rg x long'])
      expect(behaviorOf(line, { deny }), line).toBe('allow');
    expect(behaviorOf('rg x long', { deny: [`Read(.${'a'.repeat(200)})`] })).toBe('ask');
  });
});
