import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangesStage, TestRepository } from '@signalbox/testing/hub/changes-stage';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { HubStream } from 'signalbox/hub';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Repository } from '../../src/changes/repository.ts';
import { RepositoryWatches } from '../../src/changes/repository-watches.ts';
import { WatchedFolders } from '../../src/changes/watched-folders.ts';
import { TestViewer } from '../live/test-viewer.ts';

/** Counts what it is told; settles when there is something new. */
class Bell {
  count = 0;
  readonly ring = (): void => {
    this.count += 1;
  };

  async rings(work: () => void): Promise<void> {
    const before = this.count;
    work();
    await until(() => this.count > before);
  }
}

describe('watching a folder', () => {
  it('[CG1626] tells whoever looks of every change that is not ignored, new folders and commits included', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    const { folder } = repository;
    repository.commit({ '.gitignore': 'build\n*.log\n', 'src/a.ts': 'a\n' });
    const session = await stage.session(folder);
    const stream = new HubStream({ url: stage.url, token: stage.token });
    onTestFinished(() => stream.close());
    const bell = new Bell();
    const other = new Bell();
    const end = stream.watchChanges(session.id, bell.ring);
    stream.watchChanges(session.id, other.ring);
    // Once when it has begun.
    await until(() => bell.count > 0);
    await bell.rings(() => repository.write('src/a.ts', 'b\n'));
    await bell.rings(() => repository.write('new/inner/file', 'n\n'));
    await bell.rings(() => repository.write('new/inner/file', 'again\n'));
    await bell.rings(() => repository.git('add', 'src/a.ts'));
    await bell.rings(() => repository.git('commit', '-q', '-m', 'next'));
    await bell.rings(() => rmSync(join(folder, 'new'), { recursive: true }));
    await bell.rings(() => repository.write('new/file', 'other\n'));
    await bell.rings(() => repository.write('new/file', 'once more\n'));
    await bell.rings(() => repository.write('.gitignore', '*.log\n'));
    await bell.rings(() => repository.write('build/out-1', 'now it is'));
    end();
    const after = bell.count;
    await other.rings(() => repository.write('src/a.ts', 'c\n'));
    expect(bell.count).toBe(after);
  });

  it('[CG1628] watches no folder that is ignored, and knows which of the files are', async () => {
    const git = new TestRepository();
    git.commit({ '.gitignore': 'build\n*.log\n', 'src/a.ts': 'a\n' });
    git.write('build/deep/out', 'x');
    const told: string[] = [];
    const folders = new WatchedFolders(
      await Repository.open(git.folder),
      (path) => told.push(path),
      () => told.push('failed'),
    );
    onTestFinished(() => folders.close());
    await folders.addAll();
    git.write('build/out', 'x');
    git.write('build/deep/out', 'y');
    git.write('src/a.ts', 'b\n');
    await until(() => told.includes('src/a.ts'));
    expect(told.filter((path) => path !== 'src/a.ts')).toEqual([]);
    const paths = ['noise.log', 'src/a.ts', 'build', 'build/out', ':(top)x', '.git/index', 'sub/.git'];
    expect(await folders.notIgnored(paths)).toEqual(['src/a.ts', ':(top)x']);
  });

  it('[CG1627] has one watch for all who look, none when nobody does, and a limit', async () => {
    const watches = new RepositoryWatches();
    onTestFinished(() => watches.close());
    const bell = new Bell();
    const first = new TestRepository().folder;
    const folders = Array.from({ length: 32 }, () => {
      const folder = temporaryFolder();
      cpSync(first, folder, { recursive: true });
      return folder;
    });
    const add = async (folder: string) => watches.add(await Repository.open(folder), bell.ring);
    const ends = await Promise.all(folders.map(add));
    const again = await add(folders[0] ?? '');
    const one = new TestRepository().folder;
    await expect(add(one)).rejects.toMatchObject({ code: 'CHANGE_LIMIT' });
    ends[0]?.();
    await bell.rings(() => writeFileSync(join(folders[0] ?? '', 'x'), ''));
    again();
    (await add(one))();
    const stage = await ChangesStage.open();
    const viewer = await TestViewer.connect(stage.url, stage.token);
    const plain = await stage.session(temporaryFolder());
    expect(await viewer.ask({ type: 'watch-changes', session: plain.id })).toMatchObject({
      type: 'error',
      code: 'REPOSITORY_NOT_FOUND',
    });
    const watcher = await TestViewer.connect(stage.url, await stage.tokenFor('watch'));
    const session = await stage.session(one);
    expect(await watcher.ask({ type: 'watch-changes', session: session.id })).toMatchObject({ type: 'ack' });
    expect(await watcher.ask({ type: 'unwatch-changes', session: session.id })).toMatchObject({
      type: 'ack',
    });
  });
});
