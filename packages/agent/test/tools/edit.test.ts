import { link, lstat, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { editTool } from '../../src/tools/edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openBench, type ToolBench } from './tool-bench.ts';

async function edit(
  bench: ToolBench,
  name: string,
  old_string: string,
  new_string: string,
  replace_all = false,
) {
  await bench.run(readTool, { file_path: name });
  return bench.run(editTool, { file_path: name, old_string, new_string, replace_all });
}

describe('Write and Edit', () => {
  it('[TL18] refuse a file that was not read, or was changed since, by whatever name', async () => {
    const { run, file, path, text, announced } = await openBench();
    await file('a.txt', 'one');
    await symlink('a.txt', path('link.txt'));
    const change = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
    await expect(run(editTool, change)).rejects.toThrow('File has not been read yet');
    await expect(run(writeTool, { file_path: 'link.txt', content: 'x' })).rejects.toThrow(
      'has not been read yet',
    );
    await run(readTool, { file_path: 'link.txt' });
    await writeFile(path('a.txt'), 'one, and more');
    await expect(run(editTool, change)).rejects.toThrow('File has been modified since it was read');
    await expect(run(writeTool, { file_path: 'a.txt', content: 'x' })).rejects.toThrow(
      'has been modified since',
    );
    expect(await text('a.txt')).toBe('one, and more');
    expect(announced).toEqual([]);
    await run(readTool, { file_path: 'a.txt' });
    await run(editTool, change);
    await run(editTool, { ...change, old_string: 'two', new_string: 'three' });
    await run(writeTool, { file_path: 'link.txt', content: 'whole' });
    expect(await text('a.txt')).toBe('whole');
    expect(announced).toEqual([path('a.txt'), path('a.txt'), path('a.txt')]);
  });

  it('[TL18] see a change that keeps the size or the time', async () => {
    const bench = await openBench();
    const path = await bench.file('a.txt', 'one', { mtime: 1000 });
    await bench.run(readTool, { file_path: path });
    await writeFile(path, 'two');
    await expect(bench.run(writeTool, { file_path: path, content: 'x' })).rejects.toThrow('modified since');
    await bench.run(readTool, { file_path: path });
    const { atime, mtime } = await stat(path);
    await writeFile(path, 'three');
    await utimes(path, atime, mtime);
    await expect(bench.run(writeTool, { file_path: path, content: 'x' })).rejects.toThrow('modified since');
  });

  it('[TL19] Edit replaces what is unique, or everything', async () => {
    const bench = await openBench();
    await bench.file('f.txt', 'one\ntwo\n');
    expect(await edit(bench, 'f.txt', 'two', 'three')).toEqual({
      content: 'The file f.txt has been updated.',
      structured: {
        filePath: 'f.txt',
        oldString: 'two',
        newString: 'three',
        originalFile: 'one\ntwo\n',
        structuredPatch: [
          { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+three'] },
        ],
        userModified: false,
        replaceAll: false,
      },
    });
    expect(await edit(bench, 'f.txt', 'e', "$&$'", true)).toMatchObject({
      content: 'The file f.txt has been updated: 3 replaced.',
      structured: { replaceAll: true },
    });
    expect(await bench.text('f.txt')).toBe("on$&$'\nthr$&$'$&$'\n");
  });

  it('[TL19] Edit refuses what is missing, ambiguous or the same, with counts', async () => {
    const bench = await openBench();
    await bench.file('f.txt', 'one one\n');
    await expect(edit(bench, 'f.txt', 'two', 'x')).rejects.toThrow(
      'old_string is not in the file (0 matches)',
    );
    await expect(edit(bench, 'f.txt', 'one', 'x')).rejects.toThrow('old_string is in the file 2 times');
    await expect(edit(bench, 'f.txt', 'one', 'one')).rejects.toThrow('Nothing to do');
    await expect(edit(bench, 'f.txt', '', 'x')).rejects.toThrow('old_string is empty, but the file is not');
    await expect(
      bench.run(editTool, { file_path: 'g.txt', old_string: 'one', new_string: 'x' }),
    ).rejects.toThrow(`Did you mean ${bench.path('f.txt')}?`);
    expect(await bench.text('f.txt')).toBe('one one\n');
  });

  it('[TL19] Edit makes a new file of an empty old_string', async () => {
    const bench = await openBench();
    expect(
      await bench.run(editTool, { file_path: 'new/f.txt', old_string: '', new_string: 'fresh' }),
    ).toMatchObject({
      structured: {
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: 0,
            newStart: 1,
            newLines: 1,
            lines: ['+fresh', '\\ No newline at end of file'],
          },
        ],
      },
    });
    expect(await bench.text('new/f.txt')).toBe('fresh');
  });

  it('[TL20] keep line ends and the byte order mark', async () => {
    const bench = await openBench();
    await bench.file('f.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
    await edit(bench, 'f.txt', 'one\ntwo', '1\n2\n2.5');
    expect(await bench.text('f.txt')).toBe('\uFEFF1\r\n2\r\n2.5\r\nthree\r\n');
    await bench.run(writeTool, { file_path: 'f.txt', content: 'all\nnew\n' });
    expect(await bench.text('f.txt')).toBe('\uFEFFall\nnew\n');
    await bench.file('mixed.txt', 'a\r\nb\r\nc\n');
    await edit(bench, 'mixed.txt', 'c', 'd');
    expect(await bench.text('mixed.txt')).toBe('a\r\nb\r\nd\n');
  });

  it('[TL20] Edit refuses a file that is not UTF-8, which would not survive; Write replaces it', async () => {
    const bench = await openBench();
    await bench.file('latin.txt', Buffer.from('caf\xe9 one', 'latin1'));
    await expect(edit(bench, 'latin.txt', 'one', 'two')).rejects.toThrow('is not UTF-8 text');
    expect(await readFile(bench.path('latin.txt'), 'latin1')).toBe('café one');
    expect(await bench.run(writeTool, { file_path: 'latin.txt', content: 'café' })).toMatchObject({
      structured: { type: 'update', originalFile: null, structuredPatch: [] },
    });
    expect(await bench.text('latin.txt')).toBe('café');
  });

  it('[TL21] keep the mode, follow links, and leave no draft behind', async () => {
    const bench = await openBench();
    await bench.file('run.sh', 'one', { mode: 0o750 });
    await symlink('run.sh', bench.path('link'));
    await symlink('later.txt', bench.path('dangling'));
    await edit(bench, 'link', 'one', 'two');
    await bench.run(writeTool, { file_path: 'dangling', content: 'there' });
    expect(await bench.text('run.sh')).toBe('two');
    expect(await bench.text('later.txt')).toBe('there');
    expect((await stat(bench.path('run.sh'))).mode & 0o777).toBe(0o750);
    expect((await lstat(bench.path('link'))).isSymbolicLink()).toBe(true);
    expect((await readdir(bench.folder)).toSorted()).toEqual(['dangling', 'later.txt', 'link', 'run.sh']);
  });

  it('[TL21] keep a file that has several names one file', async () => {
    const bench = await openBench();
    await link(await bench.file('a', 'one'), bench.path('b'));
    await edit(bench, 'a', 'one', 'two');
    expect(await bench.text('b')).toBe('two');
  });

  it('[TL21] never show half a file to those who read it meanwhile', async () => {
    const bench = await openBench();
    const versions = ['a', 'b'].map((letter) => letter.repeat(4_000_000));
    const path = await bench.file('f.txt', versions[0] ?? '');
    await bench.run(readTool, { file_path: path });
    const work = { isOver: false };
    const writing = (async () => {
      for (let at = 1; at <= 6; at += 1) {
        await bench.run(writeTool, { file_path: path, content: versions[at % 2] ?? '' });
      }
      work.isOver = true;
    })();
    while (!work.isOver) expect(versions.includes(await readFile(path, 'utf8'))).toBe(true);
    await writing;
  });

  it('[TL21] change nothing after an interrupt, and no folder', async () => {
    const bench = await openBench();
    await expect(
      bench.run(writeTool, { file_path: 'f.txt', content: 'x' }, AbortSignal.abort()),
    ).rejects.toThrow();
    await expect(bench.run(writeTool, { file_path: bench.folder, content: 'x' })).rejects.toThrow(
      'is a directory',
    );
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it('[TL22] Write tells what it made, or what it changed', async () => {
    const bench = await openBench();
    expect(await bench.run(writeTool, { file_path: './m.txt', content: 'one\ntwo\n' })).toEqual({
      content: 'File created successfully at: ./m.txt',
      structured: {
        type: 'create',
        filePath: './m.txt',
        content: 'one\ntwo\n',
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      },
    });
    expect(await bench.run(writeTool, { file_path: './m.txt', content: '1\n2\n' })).toMatchObject({
      structured: {
        type: 'update',
        structuredPatch: [
          { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-one', '-two', '+1', '+2'] },
        ],
        originalFile: 'one\ntwo\n',
      },
    });
  });
});
