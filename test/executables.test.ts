import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);

describe('executables', () => {
  it.each([
    ['signalbox', /^signalbox \d/],
    ['signalbox-agent', /\(signalbox-agent \d/],
  ])('[RE6] %s is one file that runs by itself', async (name, version) => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-executable-'));
    try {
      const file = join(folder, `${name}.mjs`);
      await copyFile(join(root, 'dist', `${name}.js`), file);
      expect((await readFile(file, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true);
      expect((await stat(join(root, 'dist', `${name}.js`))).mode & 0o111).toBe(0o111);
      const { stdout } = await run(file, ['-v'], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
      });
      expect(stdout).toMatch(version);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
