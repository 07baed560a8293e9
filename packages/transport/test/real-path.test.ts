import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LinkLoopError } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realPath } from '../src/real-path.ts';

async function newFolder(): Promise<(name: string) => string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-links-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return (name) => join(root, name);
}

describe('the path that a call really touches', () => {
  it('[PM472] is found through links that point at nothing, in a row, and through missing folders', async () => {
    const path = await newFolder();
    await mkdir(path('repo'));
    await mkdir(path('outside'));
    await writeFile(path('outside/there'), '');
    await symlink(path('outside/new'), path('repo/dangling'));
    await symlink('dangling', path('repo/second'));
    await symlink(path('outside'), path('repo/folder'));
    await symlink(path('nowhere/at/all'), path('repo/missing'));
    expect(realPath(path('repo/dangling'))).toBe(path('outside/new'));
    expect(realPath(path('repo/second'))).toBe(path('outside/new'));
    expect(realPath(path('repo/folder/a/b'))).toBe(path('outside/a/b'));
    expect(realPath(path('repo/folder/there'))).toBe(path('outside/there'));
    expect(realPath(path('repo/missing/c'))).toBe(path('nowhere/at/all/c'));
    // By the kernel's reading: the folder above what the link leads to.
    expect(realPath(`${path('repo')}/folder/../x`)).toBe(path('x'));
    expect(realPath('/')).toBe('/');
    expect(realPath(`/proc/self/root${path('repo/plain')}`)).toBe(path('repo/plain'));
  });

  it('[PM472] does not exist in a loop of links, which is named', async () => {
    const path = await newFolder();
    await mkdir(path('repo'));
    await symlink('b', path('repo/a'));
    await symlink('a', path('repo/b'));
    expect(() => realPath(path('repo/a'))).toThrow(LinkLoopError);
    expect(() => realPath(path('repo/a/c'))).toThrow('is a loop of symbolic links');
  });
});
