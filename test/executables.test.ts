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

  it.each(['signalbox', 'signalbox-agent'])(
    '[RE3753] a start of %s takes what was compiled ahead for each of its scripts',
    async (name) => {
      const program = `
        const { start, scripts } = require(process.argv[1]);
        process.argv = [process.execPath, process.argv[1], '-v'];
        process.on('exit', () => {
          for (const { cachedDataRejected } of scripts.values()) console.log('rejected:', cachedDataRejected);
        });
        start();`;
      const file = join(folder, 'dist', `${name}.js`);
      const { stdout } = await run(process.execPath, ['-e', program, file], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
      });
      const said = stdout.match(/rejected: .*/g) ?? [];
      expect(new Set(said)).toEqual(new Set(['rejected: false']));
    },
  );

  it('[RE3880] each thread of a hub takes what was compiled ahead for it', async () => {
    const chunks = join(folder, 'dist', 'chunks');
    const threads = (await readdir(chunks)).filter((name) => name.endsWith('-worker.js'));
    expect(threads).toContain('store-worker.js');
    const inside = `
      const vm = require('node:vm');
      const { Script } = vm;
      vm.Script = class extends Script {
        constructor(...of) {
          super(...of);
          console.log('rejected:', this.cachedDataRejected);
          process.exit();
        }
      };
      require(require('node:worker_threads').workerData);`;
    const program = `new (require('node:worker_threads').Worker)(process.argv[1], { eval: true, workerData: process.argv[2] });`;
    for (const thread of threads) {
      const { stdout } = await run(process.execPath, ['-e', program, inside, join(chunks, thread)]);
      expect([thread, stdout]).toEqual([thread, 'rejected: false\n']);
    }
  });

  it('[RE6] what was compiled ahead may be damaged, of another Node, or gone', async () => {
    const versions = async () => [await versionOf('signalbox-agent'), await versionOf('signalbox')];
    const expected = await versions();
    const files = await compiledFiles();
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) await writeFile(file, (await readFile(file)).subarray(0, -100));
    expect(await versions()).toEqual(expected);
    for (const file of files) await writeFile(file, 'not what V8 wrote');
    expect(await versions()).toEqual(expected);
    for (const file of files) await rm(file);
    expect(await versions()).toEqual(expected);
  });
});
