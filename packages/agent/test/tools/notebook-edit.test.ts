import { writeFile } from 'node:fs/promises';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { notebookEditTool } from '../../src/tools/notebook-edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { openBench, seeded, type ToolBench } from './tool-bench.ts';

/** As people and tools leave it: fields in an odd order, a number that JavaScript would write otherwise. */
const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\\n",
    "caf\\u00e9"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"tags": ["x"]},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["hi\\n"]}],
   "source": [
    "print('hi')"
   ]
  }
 ],
 "metadata": {"language_info": {"name": "julia"}, "version": 1.0},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

async function edit(bench: ToolBench, input: JsonObject) {
  await bench.run(readTool, { file_path: 'n.ipynb' });
  return bench.run(notebookEditTool, { notebook_path: 'n.ipynb', ...input });
}

const cellsOf = async (bench: ToolBench): Promise<JsonObject[]> =>
  JSON.parse(await bench.text('n.ipynb')).cells;

describe('NotebookEdit', () => {
  it('[TL38] replaces a cell, drops its results, and tells what it was', async () => {
    const bench = await openBench();
    await bench.file('n.ipynb', NOTEBOOK);
    const result = await edit(bench, { cell_id: 'sum', new_source: 'a = 1\na' });
    expect(result).toEqual({
      content: 'Updated cell sum with a = 1\na',
      structured: {
        new_source: 'a = 1\na',
        old_source: "print('hi')",
        cell_type: 'code',
        language: 'julia',
        edit_mode: 'replace',
        cell_id: 'sum',
        error: '',
        notebook_path: 'n.ipynb',
        original_file: NOTEBOOK,
        updated_file: await bench.text('n.ipynb'),
      },
    });
    expect((await cellsOf(bench))[1]).toEqual({
      cell_type: 'code',
      execution_count: null,
      id: 'sum',
      metadata: { tags: ['x'] },
      outputs: [],
      source: ['a = 1\n', 'a'],
    });
  });

  it('[TL38] inserts after a cell or at the beginning, with an id of its own', async () => {
    const bench = await openBench();
    await bench.file('n.ipynb', NOTEBOOK);
    await edit(bench, { cell_id: 'intro', new_source: 'x', cell_type: 'code', edit_mode: 'insert' });
    await edit(bench, { new_source: '# top', cell_type: 'markdown', edit_mode: 'insert' });
    const cells = await cellsOf(bench);
    expect(cells.map(({ source }) => [source].flat().join(''))).toEqual([
      '# top',
      '# Title\ncafé',
      'x',
      "print('hi')",
    ]);
    expect(cells[0]).toEqual({
      cell_type: 'markdown',
      id: expect.stringMatching(/^[\da-f]{8}$/),
      metadata: {},
      source: ['# top'],
    });
    expect(cells[2]).toMatchObject({ execution_count: null, outputs: [] });
    expect(new Set(cells.map(({ id }) => id)).size).toBe(4);
  });

  it('[TL38] deletes a cell, the last one too, and fills an empty notebook', async () => {
    const bench = await openBench();
    await bench.file('n.ipynb', NOTEBOOK);
    expect(await edit(bench, { cell_id: 'intro', new_source: '', edit_mode: 'delete' })).toMatchObject({
      content: 'Deleted cell intro',
      structured: { cell_type: 'markdown', old_source: '# Title\ncafé' },
    });
    await edit(bench, { cell_id: 'sum', new_source: '', edit_mode: 'delete' });
    expect(await cellsOf(bench)).toEqual([]);
    await edit(bench, { new_source: 'again', cell_type: 'code', edit_mode: 'insert' });
    expect(await cellsOf(bench)).toMatchObject([{ source: ['again'] }]);
  });

  it('[TL38] turns a cell into another kind, whose fields it gets', async () => {
    const bench = await openBench();
    await bench.file('n.ipynb', NOTEBOOK);
    await edit(bench, { cell_id: 'sum', new_source: 'words', cell_type: 'markdown' });
    expect((await cellsOf(bench))[1]).toEqual({
      cell_type: 'markdown',
      id: 'sum',
      metadata: { tags: ['x'] },
      source: ['words'],
    });
  });

  it('[TL38] names cells without an id by their number, and gives none to an old notebook', async () => {
    const bench = await openBench();
    const old = { nbformat: 4, nbformat_minor: 4, metadata: {}, cells: [{ cell_type: 'raw', source: 'a' }] };
    await bench.file('n.ipynb', JSON.stringify(old));
    await edit(bench, { cell_id: 'cell-0', new_source: 'b\nc' });
    const made = await edit(bench, {
      cell_id: 'cell-0',
      new_source: 'd',
      cell_type: 'code',
      edit_mode: 'insert',
    });
    expect(made).toMatchObject({ structured: { cell_id: 'cell-1' } });
    expect(await cellsOf(bench)).toEqual([
      { cell_type: 'raw', source: 'b\nc' },
      { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: 'd' },
    ]);
    expect(await bench.text('n.ipynb')).not.toContain('\n');
  });

  it('[TL39] leaves the rest of the file as it is written, line ends included', async () => {
    const bench = await openBench();
    await bench.file('n.ipynb', NOTEBOOK.replaceAll('\n', '\r\n'));
    await edit(bench, { cell_id: 'sum', new_source: 'a' });
    const after = (await bench.text('n.ipynb')).replaceAll('\r\n', '\n');
    const [head = '', tail = ''] = NOTEBOOK.split(/ {2}\{\n {3}"cell_type": "code"[\s\S]* {2}\}\n/);
    expect(after.startsWith(head) && after.endsWith(tail)).toBe(true);
    expect(await bench.text('n.ipynb')).toMatch(/^[^\n]*\r\n/);
    expect(after.slice(head.length, -tail.length).split('\n')[1]).toBe('   "cell_type": "code",');
  });

  it('[TL39] is the notebook with that cell changed, however it is written', async () => {
    const bench = await openBench();
    const seed = 20_260_701;
    const random = seeded(seed);
    const odd = ['"', '\\', '}', ']', ',', ':', '\\"', '\n', 'é', '{"cells": [1]}', '\u2028', ''];
    const text = (): string => Array.from({ length: random(6) }, () => odd[random(odd.length)]).join('');
    for (let round = 0; round < 60; round += 1) {
      const cells = Array.from({ length: 1 + random(4) }, (_, at) => ({
        id: `c${at}`,
        cell_type: 'markdown',
        metadata: { [text()]: [text(), { cells: [text()] }] },
        source: text(),
      }));
      const notebook = { [`a${text()}`]: text(), nbformat: 4, nbformat_minor: 5, cells, end: { cells: 1 } };
      await bench.file('n.ipynb', JSON.stringify(notebook, null, random(4)));
      const at = random(cells.length);
      const [new_source, edit_mode] = [text(), ['replace', 'delete'][random(2)] ?? 'replace'];
      await edit(bench, { cell_id: `c${at}`, new_source, edit_mode });
      const changed = edit_mode === 'delete' ? [] : cells.slice(at, at + 1);
      const expected = cells.toSpliced(at, 1, ...changed.map((cell) => ({ ...cell, source: new_source })));
      const written = JSON.parse(await bench.text('n.ipynb'));
      expect(written, `seed ${seed}, round ${round}`).toEqual({ ...notebook, cells: expected });
    }
  });

  it('[TL40] wants the notebook to be read, and announces the change', async () => {
    const bench = await openBench();
    const path = await bench.file('n.ipynb', NOTEBOOK);
    const change = { notebook_path: path, cell_id: 'sum', new_source: 'x' };
    await expect(bench.run(notebookEditTool, change)).rejects.toThrow('File has not been read yet');
    await bench.run(readTool, { file_path: path });
    await writeFile(path, `${NOTEBOOK} `);
    await expect(bench.run(notebookEditTool, change)).rejects.toThrow('modified since it was read');
    expect(bench.announced).toEqual([]);
    await edit(bench, change);
    await bench.run(notebookEditTool, { ...change, new_source: 'y' });
    expect(bench.announced).toEqual([path, path]);
    expect(notebookEditTool.paths(change)).toEqual([path]);
  });

  it('[TL40] refuses what is no notebook, no cell or no complete wish, and changes nothing', async () => {
    const bench = await openBench();
    await bench.file('n.ipynb', NOTEBOOK);
    await expect(edit(bench, { cell_id: 'nope', new_source: '' })).rejects.toThrow(
      'Cell with ID "nope" not found in notebook. Its cells: intro, sum.',
    );
    await expect(edit(bench, { cell_id: 'cell-2', new_source: '' })).rejects.toThrow('not found');
    await expect(edit(bench, { new_source: '' })).rejects.toThrow('cell_id is missing');
    await expect(edit(bench, { new_source: '', edit_mode: 'insert' })).rejects.toThrow('cell_type');
    expect(await bench.text('n.ipynb')).toBe(NOTEBOOK);
    const run = (notebook_path: string) =>
      bench.run(notebookEditTool, { notebook_path, cell_id: 'x', new_source: '' });
    await expect(run('a.txt')).rejects.toThrow('Use Edit');
    await expect(run('missing.ipynb')).rejects.toThrow('File does not exist');
    await bench.file('old.ipynb', '{"nbformat":3,"cells":[]}');
    await bench.file('bad.ipynb', '[]');
    await bench.run(readTool, { file_path: 'old.ipynb' });
    await expect(run('old.ipynb')).rejects.toThrow('notebook format 3');
    await expect(bench.run(readTool, { file_path: 'bad.ipynb' })).rejects.toThrow('not a Jupyter notebook');
    await expect(run('bad.ipynb')).rejects.toThrow('has not been read yet');
  });
});
