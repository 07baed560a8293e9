import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);

/** `dist/` alone in a folder, as somebody would copy it. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-executable-'));
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function versionOf(name: string): Promise<string> {
  const { stdout, stderr } = await run(join(folder, 'dist', `${name}.js`), ['-v'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  expect(stderr).toBe('');
  return stdout;
}

/** What V8 compiled ahead of time, beside the chunks it belongs to. */
async function compiledFiles(): Promise<string[]> {
  const chunks = join(folder, 'dist', 'chunks');
  const names = await readdir(chunks);
  return names.filter((name) => name.endsWith(process.version)).map((name) => join(chunks, name));
}

describe('executables', () => {
  it.each([
    ['signalbox', /^signalbox \d/],
    ['signalbox-agent', /\(signalbox-agent \d/],
  ])('[RE6] %s runs by itself in a copy of dist', async (name, version) => {
    const file = join(folder, 'dist', `${name}.js`);
    expect((await readFile(file, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect((await stat(file)).mode & 0o111).toBe(0o111);
    expect(await versionOf(name)).toMatch(version);
  });

  it('[RE6] what was compiled ahead may be damaged, of another Node, or gone', async () => {
    const expected = await versionOf('signalbox-agent');
    const files = await compiledFiles();
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) await writeFile(file, (await readFile(file)).subarray(0, -100));
    expect(await versionOf('signalbox-agent')).toBe(expected);
    for (const file of files) await writeFile(file, 'not what V8 wrote');
    expect(await versionOf('signalbox-agent')).toBe(expected);
    for (const file of files) await rm(file);
    expect(await versionOf('signalbox-agent')).toBe(expected);
  });
});
