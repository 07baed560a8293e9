import { chmod, mkdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryProblem } from '../../src/permission/git-settings.ts';
import { openBench, type ToolBench } from '../tools/tool-bench.ts';

const PLAIN = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
[remote "origin"]
\turl = https://example.com/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
; a comment
# another
[user]
\tname = Ada
`;

/** A repository with these settings after the usual ones. */
async function repository(settings = ''): Promise<ToolBench> {
  const bench = await openBench();
  await bench.file('.git/config', PLAIN + settings);
  return bench;
}

describe('the settings of a repository that git reads in', () => {
  it('[PM601] are no problem where they run nothing, nor where there are none', async () => {
    const { folder, path, file } = await repository();
    expect(repositoryProblem(folder)).toBeUndefined();
    await file('src/a', '');
    expect(repositoryProblem(path('src'))).toBeUndefined();
    expect(repositoryProblem((await openBench()).folder)).toBeUndefined();
  });

  it.each([
    '[core]\n\tfsmonitor = true',
    '[core]\n\tfsmonitor = false',
    '[core]\n\thooksPath = .husky',
    '[core]\n\tworktree = ../',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\trequired = true',
    '[color "diff"]\n\tmeta = yellow',
    '[credential]\n\thelper = !evil',
    '[alias]',
  ])('[PM601] are none either for %j', async (settings) => {
    const { folder } = await repository(`${settings}\n`);
    expect(repositoryProblem(folder)).toBeUndefined();
  });

  it.each([
    ['core.fsmonitor', '[core]\n\tfsmonitor = ./evil'],
    ['core.fsmonitor', '[CORE]\n\tFsMonitor = ./evil'],
    ['core.pager', '[core]\n\tpager = ./evil'],
    ['core.sshcommand', '[core]\n\tsshCommand = ./evil'],
    ['core.worktree', '[core]\n\tworktree = /'],
    ['diff.external', '[diff]\n\texternal = ./evil'],
    ['diff.*.textconv', '[diff "x"]\n\ttextconv = ./evil'],
    ['diff.*.command', '[diff "a\\"b"]\n\tcommand = ./evil'],
    ['filter.*.clean', '[filter "x"]\n\tclean = ./evil'],
    ['filter.lfs.clean', '[filter "lfs"]\n\tclean = ./evil'],
    ['filter.lfs.clean', '[filter "lfs"]\n\tclean = git-lfs clean; ./evil'],
    ['include.path', '[include]\n\tpath = other'],
    ['includeif.*.path', '[includeIf "gitdir:/"]\n\tpath = other'],
    ['gpg.program', '[gpg]\n\tprogram = ./evil'],
    ['log.showsignature', '[log]\n\tshowSignature = true'],
    ['pager.diff', '[pager]\n\tdiff = ./evil'],
    ['interactive.difffilter', '[interactive]\n\tdiffFilter = ./evil'],
    ['uploadpack.packobjectshook', '[uploadpack]\n\tpackObjectsHook = ./evil'],
    ['remote.*.uploadpack', '[remote "origin"]\n\tuploadpack = ./evil'],
    ['extensions.worktreeconfig', '[extensions]\n\tworktreeConfig = true'],
    ['new.thing', '[new]\n\tthing = 1'],
    ['may run a program', '[core] fsmonitor = ./evil'],
    ['goes on in the next line', '[core]\n\teditor = x\\\n[branch "x"]\n\tfsmonitor = ./evil'],
    ['goes on in the next line', '[core]\n\teditor = x\\\r\n[branch "x"]\n\tfsmonitor = ./evil'],
  ])('[PM602] are a problem with %s: %j', async (name, settings) => {
    const { folder, file, path } = await repository(`${settings}\n`);
    expect(repositoryProblem(folder)).toContain(name);
    // Also from below, where git finds the repository around it.
    await file('deep/er/a', '');
    expect(repositoryProblem(path('deep/er'))).toBeDefined();
  });

  it('[PM602] are a problem where they cannot be read, are too long, or belong to a hook that runs on reading', async () => {
    const long = await repository(`# ${'x'.repeat(70_000)}\n`);
    expect(repositoryProblem(long.folder)).toContain('cannot be read');
    const loop = await openBench();
    await loop.file('.git', 'nonsense');
    expect(repositoryProblem(loop.folder)).toContain('cannot be read');
    const hooked = await repository();
    await hooked.file('.git/hooks/post-index-change', '#!/bin/sh');
    expect(repositoryProblem(hooked.folder)).toContain('post-index-change would run');
    const elsewhere = await repository('[core]\n\thooksPath = hooks\n');
    await elsewhere.file('hooks/post-index-change', '#!/bin/sh');
    expect(repositoryProblem(elsewhere.folder)).toContain('core.hookspath');
  });

  it('[PM602] are looked for where git looks: behind a file, in a shared folder, in a folder that looks like .git', async () => {
    const { file, path } = await openBench();
    await file('main/.git/config', `${PLAIN}[diff]\n\texternal = ./evil\n`);
    await file('main/.git/worktrees/tree/commondir', '../..\n');
    await file('tree/.git', `gitdir: ${path('main/.git/worktrees/tree')}\n`);
    expect(repositoryProblem(path('tree'))).toContain('diff.external');
    await file('bare/HEAD', 'ref: refs/heads/main');
    await mkdir(path('bare/objects'));
    await file('bare/config', '[core]\n\tfsmonitor = ./evil\n');
    expect(repositoryProblem(path('bare'))).toContain('core.fsmonitor');
    await mkdir(path('linked'));
    await symlink(path('main/.git'), path('linked/.git'));
    expect(repositoryProblem(path('linked'))).toContain('diff.external');
  });

  it('[PM602] are read anew when they have changed', async () => {
    const { folder, file, path } = await repository();
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path('.git/config'), longAgo, longAgo);
    expect(repositoryProblem(folder)).toBeUndefined();
    await file('.git/config', `${PLAIN}[core]\n\tpager = ./evil\n`);
    expect(repositoryProblem(folder)).toContain('core.pager');
    await chmod(join(folder, '.git/config'), 0o600);
  });
});
