import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gitBranch } from '../../src/session/git-branch.ts';
import { readSettings } from '../../src/settings/settings-file.ts';
import { enterScope } from '../../src/tools/search/ignore-rules.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-plain-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What a repository, or an archive, may put in the place of a file. */
const TRAPS: [string, (path: string) => void][] = [
  ['a link to a device without an end', (path) => symlinkSync('/dev/zero', path)],
  ['a named pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
];

describe.each(TRAPS)('%s in the place of a file', (_name, put) => {
  it('[ST560] is not read as settings, branch or ignore rules', () => {
    const root = folder();
    mkdirSync(join(root, '.git'));
    for (const name of ['settings.json', '.gitignore', '.git/HEAD']) put(join(root, name));
    expect(() => readSettings(join(root, 'settings.json'))).toThrow('not a plain file');
    expect(gitBranch(root)).toBe('HEAD');
    expect(enterScope(root, undefined)).toBeUndefined();
  });
});

describe('a link to a file', () => {
  it('[ST560] is read as the file', () => {
    const root = folder();
    writeFileSync(join(root, 'file'), 'text');
    symlinkSync('file', join(root, 'link'));
    expect(readPlainFile(join(root, 'link'))).toBe('text');
  });
});
