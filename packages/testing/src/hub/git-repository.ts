import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './test-parts.ts';

/** A repository of a person, with one commit on `main`. */
export class GitRepository {
  readonly root: string;

  constructor(root = join(realpathSync(temporaryFolder()), 'shop')) {
    this.root = root;
    mkdirSync(root, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=main');
    this.commit('src/index.js', 'one\n');
  }

  git(...words: string[]): string {
    return gitIn(this.root, ...words);
  }

  write(path: string, text: string): string {
    return writeIn(this.root, path, text);
  }

  commit(path: string, text: string): void {
    this.write(path, text);
    commitAll(this.root);
  }

  get worktrees(): string[] {
    return this.git('worktree', 'list').trim().split('\n');
  }

  get branches(): string[] {
    return this.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n');
  }

  /** A program that a hook, a filter or a monitor would be; `wasRun` says whether it was. */
  trap(name: string): { program: string; wasRun: () => boolean } {
    const mark = join(dirname(this.root), `${name}-was-run`);
    const program = writeIn(dirname(this.root), name, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
    chmodSync(program, 0o755);
    return { program, wasRun: () => existsSync(mark) };
  }
}

export function gitIn(folder: string, ...words: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return execFileSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

export function writeIn(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

export function commitAll(folder: string): void {
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '--message', 'work');
}
