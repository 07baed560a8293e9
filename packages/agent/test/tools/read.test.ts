import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../src/tools/files/read-image.ts';
import { MAX_PDF_BYTES, MAX_PDF_PAGES } from '../../src/tools/files/read-pdf.ts';
import { MAX_LINE_CHARS, MAX_PAGE_CHARS } from '../../src/tools/files/read-text.ts';
import { readTool } from '../../src/tools/read.ts';
import { openBench } from './tool-bench.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('Read', () => {
  it('[TL12] numbers the lines of a text', async () => {
    const { run, file } = await openBench();
    const filePath = await file('f.txt', 'one\ntwo\n');
    expect(await run(readTool, { file_path: filePath })).toEqual({
      content: '1\tone\n2\ttwo\n3\t',
      structured: {
        type: 'text',
        file: { filePath, content: 'one\ntwo\n', numLines: 3, startLine: 1, totalLines: 3 },
      },
    });
    expect(await run(readTool, { file_path: 'f.txt', offset: 2, limit: 1 })).toMatchObject({
      content: '2\ttwo\n<system-reminder>There are 3 lines; read on with offset 3.</system-reminder>',
      structured: { file: { content: 'two', numLines: 1, startLine: 2, totalLines: 3 } },
    });
  });

  it('[TL12] shows no carriage returns and no byte order mark, and cuts long lines', async () => {
    const { run, file } = await openBench();
    await file('crlf.txt', `\uFEFFone\r\n${'é'.repeat(50_000)}\r\nthree`);
    const { content } = await run(readTool, { file_path: 'crlf.txt' });
    expect(content).toBe(`1\tone\n2\t${'é'.repeat(MAX_LINE_CHARS)}… (line cut)\n3\tthree`);
  });

  it('[TL12] says that a file is empty, or shorter than asked for', async () => {
    const { run, file } = await openBench();
    await file('empty.txt', '');
    await file('f.txt', 'one\ntwo');
    expect(await run(readTool, { file_path: 'empty.txt' })).toMatchObject({
      content: '1\t\n<system-reminder>The file is empty.</system-reminder>',
    });
    expect(await run(readTool, { file_path: 'f.txt', offset: 9 })).toMatchObject({
      content: '<system-reminder>The file has only 2 lines.</system-reminder>',
      structured: { file: { content: '', numLines: 0, startLine: 9, totalLines: 2 } },
    });
  });

  it('[TL13] reads a page of a file of any size, and goes on from there', async () => {
    const { run, file } = await openBench();
    const line = 'x'.repeat(99);
    await file('long.txt', `${line}\n`.repeat(300_000));
    const first = await run(readTool, { file_path: 'long.txt' });
    expect(first.content.length).toBeLessThan(MAX_PAGE_CHARS * 1.1);
    expect(first.structured).toMatchObject({ file: { numLines: 1000, totalLines: 300_001 } });
    expect(first.content).toContain('read on with offset 1001');
    const last = await run(readTool, { file_path: 'long.txt', offset: 300_000 });
    expect(last.content).toBe(`300000\t${line}\n300001\t`);
    const few = await run(readTool, { file_path: 'long.txt', limit: 2 });
    expect(few.structured).toMatchObject({ file: { numLines: 2 } });
  });

  it('[TL14] refuses binary files, folders and devices', async () => {
    const { run, file, folder, path } = await openBench();
    await file('b.bin', 'text\0more');
    await expect(run(readTool, { file_path: 'b.bin' })).rejects.toThrow('is a binary file (.bin)');
    await expect(run(readTool, { file_path: folder })).rejects.toThrow('is a directory. List it with Glob');
    execFileSync('mkfifo', [path('pipe')]);
    await expect(run(readTool, { file_path: 'pipe' })).rejects.toThrow('cannot be read');
    await expect(run(readTool, { file_path: '/dev/zero' })).rejects.toThrow('cannot be read');
  });

  it('[TL14] says which file was probably meant', async () => {
    const { run, file, path } = await openBench();
    await file('src/index.ts', '');
    for (const wrong of ['src/indx.ts', 'src/Index.ts', 'src/index.js']) {
      await expect(run(readTool, { file_path: wrong })).rejects.toThrow(
        `Did you mean ${path('src/index.ts')}?`,
      );
    }
    await expect(run(readTool, { file_path: 'src/other' })).rejects.toThrow('File does not exist');
    await file('~/a.txt', 'a name like any other');
    expect(await run(readTool, { file_path: '~/a.txt' })).toMatchObject({
      structured: { file: { filePath: path('~/a.txt') } },
    });
    await expect(run(readTool, { file_path: 'lib/index.ts' })).rejects.toThrow('nor does its folder');
  });

  it('[TL15] shows images by what is in them, not by their names', async () => {
    const { run, file } = await openBench();
    const heads = {
      'image/png': PNG,
      'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
      'image/gif': Buffer.from('GIF89a\x01\0', 'latin1'),
      'image/webp': Buffer.from('RIFF\x1a\0\0\0WEBPVP8L', 'latin1'),
    };
    for (const [type, bytes] of Object.entries(heads)) {
      await file('picture.txt', bytes);
      const data = bytes.toString('base64');
      expect(await run(readTool, { file_path: 'picture.txt' })).toEqual({
        content: [{ type: 'image', source: { type: 'base64', media_type: type, data } }],
        structured: { type: 'image', file: { base64: data, type, originalSize: bytes.length } },
      });
    }
    await truncate(await file('large.png', PNG), MAX_IMAGE_BYTES + 1);
    await expect(run(readTool, { file_path: 'large.png' })).rejects.toThrow(
      `an image may have ${MAX_IMAGE_BYTES}`,
    );
  });

  it('[TL16] shows PDF documents, up to a size and a number of pages', async () => {
    const { run, file } = await openBench();
    const pdf = (pages: number) => `%PDF-1.4\n1 0 obj<</Type/Pages/Kids[2 0 R]/Count ${pages}>>endobj\n%%EOF`;
    const filePath = await file('d.pdf', pdf(MAX_PDF_PAGES));
    const data = Buffer.from(pdf(MAX_PDF_PAGES)).toString('base64');
    expect(await run(readTool, { file_path: 'd.pdf' })).toMatchObject({
      content: [
        { type: 'text' },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
      ],
      structured: { type: 'pdf', file: { filePath, base64: data } },
    });
    await file('d.pdf', pdf(MAX_PDF_PAGES + 1));
    await expect(run(readTool, { file_path: 'd.pdf' })).rejects.toThrow(`${MAX_PDF_PAGES + 1} pages`);
    await truncate(await file('d.pdf', pdf(1)), MAX_PDF_BYTES + 1);
    await expect(run(readTool, { file_path: 'd.pdf' })).rejects.toThrow(`a PDF may have ${MAX_PDF_BYTES}`);
  });

  it('[TL17] shows the cells of a notebook with their outputs', async () => {
    const { run, file } = await openBench();
    const image = PNG.toString('base64');
    const outputs = [
      { output_type: 'stream', name: 'stdout', text: ['1\n', '2\n'] },
      { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['tb1', 'tb2'] },
      { output_type: 'display_data', data: { 'image/png': image, 'text/plain': '<fig>' }, metadata: {} },
    ];
    const cells = [
      { cell_type: 'markdown', id: 'm1', metadata: {}, source: ['# Hi\n', 'there'] },
      { cell_type: 'code', id: 'c1', execution_count: 3, metadata: {}, source: 'print(1)', outputs },
    ];
    const filePath = await file(
      'n.ipynb',
      JSON.stringify({ cells, metadata: { language_info: { name: 'python' } } }),
    );
    expect(await run(readTool, { file_path: 'n.ipynb' })).toEqual({
      content: [
        { type: 'text', text: '<cell id="m1" type="markdown">\n# Hi\nthere\n</cell>' },
        { type: 'text', text: '<cell id="c1" type="code">\nprint(1)\n</cell>' },
        { type: 'text', text: '<output>\n1\n2\n\n</output>' },
        { type: 'text', text: '<output>\nE: v\ntb1\ntb2\n</output>' },
        { type: 'text', text: '<output>\n<fig>\n</output>' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
      ],
      structured: {
        type: 'notebook',
        file: {
          filePath,
          cells: [
            { cellType: 'markdown', source: '# Hi\nthere', cell_id: 'm1' },
            {
              cellType: 'code',
              source: 'print(1)',
              execution_count: 3,
              cell_id: 'c1',
              language: 'python',
              outputs: [
                { output_type: 'stream', text: '1\n2\n' },
                { output_type: 'error', text: 'E: v\ntb1\ntb2' },
                {
                  output_type: 'display_data',
                  text: '<fig>',
                  image: { image_data: image, media_type: 'image/png' },
                },
              ],
            },
          ],
        },
      },
    });
    await file('n.ipynb', '{"cells": 1}');
    await expect(run(readTool, { file_path: 'n.ipynb' })).rejects.toThrow('is not a Jupyter notebook');
  });
});
