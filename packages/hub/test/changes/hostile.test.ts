import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangesStage, good, SessionChanges, TestRepository } from '@signalbox/testing/hub/changes-stage';
import { call, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { findLines } from '../../src/changes/quoted-lines.ts';
import { Repository } from '../../src/changes/repository.ts';
import { WatchedFolders } from '../../src/changes/watched-folders.ts';

describe('changes of a folder, and those who mean harm', () => {
  it('[CG1846] a folder that only an agent has named is shown to whoever may launch agents, and to nobody else', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    repository.write('a.txt', 'secret\n');
    // As the `init` of an agent that dialled in says it.
    await stage.store.sessions.create('dialled', { folder: repository.folder });
    const dialled = new SessionChanges(stage, 'dialled');
    const refused = [
      await stage.tokenFor('watch'),
      await tokenFor(stage.store, { scope: 'drive', session: 'dialled' }),
      await tokenFor(stage.store, { scope: 'admin', session: 'dialled' }),
    ];
    for (const token of refused) {
      expect(await dialled.call('GET', '', undefined, token)).toMatchObject({ status: 403 });
      const discard = dialled.call('POST', '/discard', { paths: ['a.txt'] }, token);
      expect(await discard).toMatchObject({ status: 403 });
    }
    expect(await dialled.call('GET', '', undefined, await stage.tokenFor('drive'))).toMatchObject({
      status: 200,
    });
    // Where the hub has launched it counts, and not what its agent says since.
    const launched = await stage.session(repository.folder);
    await stage.store.sessions.update(launched.id, { folder: '/' });
    expect(await launched.call('GET', '', undefined, await stage.tokenFor('watch'))).toMatchObject({
      body: { files: [{ path: 'a.txt' }] },
    });
  });

  it('[CG1847] nothing is discarded that would take along what no copy is kept of', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ '.gitignore': 'ignored\n', file: 'x\n', 'folder/file': 'y\n' });
    const session = await stage.session(repository.folder);
    const at = (path: string): string => join(repository.folder, path);
    rmSync(at('file'));
    repository.write('file/inner/draft', 'only copy\n');
    rmSync(at('folder'), { recursive: true });
    repository.write('folder', 'only copy\n');
    const before = repository.git('status', '--short', '--untracked-files=all');
    const discard = (paths: string[]) => session.refusal('POST', '/discard', { paths });
    expect(await discard(['file'])).toEqual([409, 'CHANGE_IN_WAY']);
    expect(await discard(['folder/file'])).toEqual([409, 'CHANGE_IN_WAY']);
    expect(repository.git('status', '--short', '--untracked-files=all')).toBe(before);
    // Together with what is in the way, and back again.
    const paths = ['file/inner/draft', 'file', 'folder/file', 'folder'];
    const { discard: name } = good(await session.call('POST', '/discard', { paths }));
    expect(repository.git('status', '--short', '--untracked-files=all')).toBe('');
    good(await session.call('POST', '/undo', { discard: name }));
    expect(repository.git('status', '--short', '--untracked-files=all')).toBe(before);
    expect(readFileSync(at('file/inner/draft'), 'utf8')).toBe('only copy\n');
    expect(readFileSync(at('folder'), 'utf8')).toBe('only copy\n');
    // What git ignores is listed nowhere, and would be lost all the same.
    repository.write('file/ignored', 'only copy\n');
    expect(await discard(['file', 'file/inner/draft'])).toEqual([409, 'CHANGE_IN_WAY']);
    expect(existsSync(at('file/inner/draft'))).toBe(true);
  });

  it('[CG1849] the lines of a comment are found in the time that the file is long, whatever is in it', async () => {
    const alike = Buffer.from(`${'\n'.repeat(8_000_000)}x`);
    expect(await findLines(alike, `${'\n'.repeat(8000)}y`, 1)).toBe('nowhere');
    expect(await findLines(alike, `y${'\n'.repeat(8000)}`, 1)).toBe('nowhere');
    expect(await findLines(alike, `${'\n'.repeat(8000)}x`, 1)).toBe('elsewhere');
    // Beside a way that is slow and plain.
    const words = ['', 'a', 'b', 'aa', 'ü', '\ud83d\ude00'];
    let seed = 1849;
    const random = (most: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % most;
    };
    for (let round = 0; round < 3000; round += 1) {
      const lines = Array.from({ length: 1 + random(12) }, () => words[random(words.length)] ?? '');
      const quote = Array.from({ length: 1 + random(3) }, () => words[random(words.length)] ?? '');
      const line = 1 + random(12);
      const isAt = (at: number): boolean =>
        lines.slice(at, at + quote.length).join('\n') === quote.join('\n') &&
        at + quote.length <= lines.length;
      const expected = isAt(line - 1) ? 'there' : lines.some((_, at) => isAt(at)) ? 'elsewhere' : 'nowhere';
      const end = random(2) === 0 ? '\n' : '\r\n';
      expect(await findLines(Buffer.from(lines.join(end)), quote.join('\n'), line)).toBe(expected);
    }
  });

  it('[CG1850] paths of an index that no system has, and names with tabs, stop nobody who looks', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n', 'with\ttab': 'one\n' });
    repository.write('with\ttab', 'two\n');
    const blob = repository.git('rev-parse', 'HEAD:a.txt').trim();
    const paths = [`${'a/'.repeat(200_000)}f`, `${'b/'.repeat(5000)}f`];
    execFileSync('git', ['update-index', '--index-info'], {
      cwd: repository.folder,
      input: paths.map((path) => `100644 ${blob}\t${path}\n`).join(''),
    });
    const session = await stage.session(repository.folder);
    const { files } = await session.list();
    expect(files.find(({ path }) => path === 'with\ttab')).toMatchObject({ added: 1, removed: 1 });
    expect(await session.refusal('GET', '/diff?path=a%00b')).toEqual([400, 'REQUEST_INVALID']);
    let failures = 0;
    const folders = new WatchedFolders(
      await Repository.open(repository.folder),
      () => {},
      () => {
        failures += 1;
      },
    );
    await folders.addAll();
    folders.close();
    expect(failures).toBe(0);
  });

  it('[CG1851] a repository in which git hangs keeps nobody from the lists of the hub, with the same token too', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    const pipe = join(repository.folder, '.git/info/attributes');
    rmSync(pipe, { force: true });
    execFileSync('mkfifo', [pipe]);
    const session = await stage.session(repository.folder);
    repository.write('a.txt', 'two\n');
    let isAnswered = false;
    const hanging = session.call('GET').finally(() => {
      isAnswered = true;
    });
    for (const path of ['/api/sessions', '/api/permissions', '/api/devices'])
      expect(await call(stage.url, stage.token, 'GET', path)).toMatchObject({ status: 200 });
    expect(isAnswered).toBe(false);
    // Whoever writes to the pipe lets git go on.
    const feed = setInterval(() => {
      try {
        writeFileSync(pipe, '', { flag: 'r+' });
      } catch {
        // Nobody reads it now.
      }
    }, 20);
    await hanging;
    clearInterval(feed);
  });
});
