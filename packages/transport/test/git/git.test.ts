import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchMemory } from '../../src/git/child-memory.ts';
import { GitSlots } from '../../src/git/git-slots.ts';
import { Git } from '../../src/git/index.ts';

function newRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
      cwd: folder,
    });
  };
  git('init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git('add', '--all');
  git('commit', '-q', '-m', 'first');
  return folder;
}

describe('git in a repository that nobody trusts', () => {
  it('[TR1840] is refused when its configuration is too long to be read, whatever it says of itself', async () => {
    const folder = newRepository();
    const trap = join(folder, '.git', 'was-run');
    const filler = ` a = ${'x'.repeat(1000)}\n`.repeat(1100);
    const filter = `[filter "own"]\n clean = touch '${trap}'; cat\n`;
    appendFileSync(join(folder, '.git/config'), `[signalbox]\n isheard = true\n[filler]\n${filler}${filter}`);
    writeFileSync(join(folder, '.git/info/attributes'), '* filter=own\n');
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    const look = async (): Promise<string> => (await Git.open(folder)).text(['status', '--short']);
    await expect(look()).rejects.toMatchObject({ code: 'GIT_FAILED' });
    expect(existsSync(trap)).toBe(false);
    // Somebody's own git runs it.
    execFileSync('git', ['status'], { cwd: folder });
    expect(existsSync(trap)).toBe(true);
  });

  it('[TR1841] runs so many at once, so many of them in one folder, and folders take turns', async () => {
    const slots = new GitSlots(3, 2);
    const began: string[] = [];
    const ask = async (folder: string): Promise<() => void> => {
      const end = await slots.take(folder);
      began.push(folder);
      return end;
    };
    const ofA = Array.from({ length: 5 }, () => ask('a'));
    const ofB = Array.from({ length: 2 }, () => ask('b'));
    const ofC = ask('c');
    await Promise.all([ofA[0], ofA[1], ofB[0]]);
    expect(began).toEqual(['a', 'a', 'b']);
    const endOne = async (one: Promise<() => void> | undefined): Promise<void> => (await one)?.();
    await endOne(ofA[0]);
    await ofA[2];
    await endOne(ofA[1]);
    // The third of `a` has just begun: the others come first.
    await ofB[1];
    await endOne(ofB[0]);
    await ofC;
    expect(began).toEqual(['a', 'a', 'b', 'a', 'b', 'c']);
    await Promise.all([...ofA, ...ofB, ofC].slice(2).map((one) => endOne(one)));
    expect(began).toHaveLength(8);
    const free = await slots.take('a');
    free();
  });

  it('[TR1842] is ended when it takes too much memory, and refused what no program can be told', async () => {
    await new Promise<void>((resolve) => {
      const stop = watchMemory(process.pid, 1024, () => {
        stop();
        resolve();
      });
    });
    const git = await Git.open(newRepository());
    for (const words of [
      ['log', 'a\0b'],
      ['log', 'x'.repeat(3_000_000)],
    ])
      await expect(git.run(words)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});
