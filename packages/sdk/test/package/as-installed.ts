import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScriptedModel } from '@signalbox/model';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { InstalledPackage } from './installed-package.ts';

const run = promisify(execFile);
const PROGRAM = `
import { collectText, query, SDK_VERSION } from 'signalbox';
const env = { PATH: '', HOME: process.env.HOME, ANTHROPIC_BASE_URL: process.env.MODEL, ANTHROPIC_API_KEY: 'none' };
const text = await collectText(query({ prompt: 'say hello from afar', options: { env } }));
console.log(JSON.stringify({ text, version: SDK_VERSION }));
`;

const TYPED_PROGRAM = `
import { type Options, query, type SDKResultMessage } from 'signalbox';
import type { DirectConnect } from 'signalbox/browser';
import { AbortError } from 'signalbox/core';
import type { BashInput } from 'signalbox/sdk-tools';
import type { ToolInputSchemas } from 'signalbox/sdk-tools.js';
export const call: ToolInputSchemas = { command: 'ls' } satisfies BashInput;
export const isAborted = (error: unknown): boolean => error instanceof AbortError;
export type Page = DirectConnect;
export async function resultOf(prompt: string, options: Options): Promise<SDKResultMessage | undefined> {
  for await (const message of query({ prompt, options })) if (message.type === 'result') return message;
  return undefined;
}
const env = { PATH: '', HOME: process.env['HOME'], ANTHROPIC_BASE_URL: process.env['MODEL'], ANTHROPIC_API_KEY: 'none' };
const result = await resultOf('say hello from types', { env });
console.log(result?.subtype === 'success' ? result.result : result?.errors.join());
`;

/** The compiler complains where it finds no error behind such a comment. */
const WRONG_PROGRAM = `
import { query } from 'signalbox';
// @ts-expect-error -- a prompt is no number
export const wrong = () => query({ prompt: 7 });
`;

let installed: InstalledPackage;

/** Runs a file of the project on a model that says what it is told. */
async function play(file: string): Promise<string> {
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  const env = { HOME: installed.project, MODEL: model.url };
  const { stdout } = await run(process.execPath, [file], { cwd: installed.project, env });
  return stdout.trim();
}

/** What a module loads when it is imported: the files of the package, and modules by their names. */
async function loadedBy(file: string, loaded = new Set<string>()): Promise<Set<string>> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = await readFile(join(installed.folder, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export|\}) ?(?:.* from )?"([^"]+)"/gm)) {
    if (specifier.startsWith('.')) await loadedBy(join(dirname(file), specifier), loaded);
    else loaded.add(specifier);
  }
  return loaded;
}

/** What the package holds, and that it works where only it is installed. */
export function describeAsInstalled(packageOf: () => InstalledPackage): void {
  describe('the package', () => {
    beforeAll(() => {
      installed = packageOf();
    });

    it('[PK1] has all that its manifest names, and nothing of the workspace', async () => {
      const { exports, bin } = await installed.manifest();
      expect(Object.keys(exports)).toEqual([
        '.',
        './browser',
        './hub',
        './model',
        './wire',
        './core',
        './sdk-tools',
        './sdk-tools.js',
        './package.json',
      ]);
      const named = Object.values(exports).flatMap((one) =>
        typeof one === 'string' ? one : Object.values(one),
      );
      for (const file of [...named, 'README.md', 'LICENSE']) await stat(join(installed.folder, file));
      for (const file of Object.values(bin))
        expect((await stat(join(installed.folder, file))).mode & 0o111).toBe(0o111);
      const files = await readdir(installed.folder, { recursive: true });
      expect(files.filter((name) => /(?<!\.d)\.ts$|\.tmp$|\.map$|\btest\b/.test(name))).toEqual([]);
      for (const name of files.filter((one) => one.endsWith('.d.ts')))
        expect(await readFile(join(installed.folder, name), 'utf8')).not.toMatch(
          /['"](?:@signalbox\/|[^'"]*\.ts['"])/,
        );
    });

    it('[PK2] runs in a program elsewhere, with the agent that comes along', async () => {
      await writeFile(join(installed.project, 'program.js'), PROGRAM);
      const { version } = JSON.parse(await readFile(join(installed.folder, 'package.json'), 'utf8'));
      expect(JSON.parse(await play('program.js'))).toEqual({ text: 'hello from afar', version });
    });

    it.each([
      { module: 'nodenext', moduleResolution: 'nodenext' },
      { module: 'esnext', moduleResolution: 'bundler' },
    ])('[PK3] its types are whole under $moduleResolution', async (options) => {
      const folder = await mkdtemp(join(installed.project, 'typed-'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await writeFile(join(folder, 'program.ts'), TYPED_PROGRAM);
      await writeFile(join(folder, 'wrong.ts'), WRONG_PROGRAM);
      await cp(fileURLToPath(new URL('../programs', import.meta.url)), folder, { recursive: true });
      expect(await installed.complaints(folder, { types: ['node'], ...options })).toBe('');
      expect(await play(join(folder, 'out/program.js'))).toBe('hello from types');
    });

    describe('in a page', () => {
      const entries = ['browser', 'hub'];
      const textOf = (name: string) => `import * as client from 'signalbox/${name}';\nconsole.log(client);\n`;
      let folder: string;
      let complaints: string;
      beforeAll(async () => {
        folder = await mkdtemp(join(installed.project, 'page-'));
        for (const name of entries) await writeFile(join(folder, `${name}.ts`), textOf(name));
        const lib = ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable', 'ESNext.Disposable'];
        const options = { module: 'esnext', moduleResolution: 'bundler', types: [], lib };
        complaints = await installed.complaints(folder, options);
      });

      it.each(entries)('[PK4] signalbox/%s needs no Node, nor its types', async (name) => {
        expect(complaints).toBe('');
        const { outputFiles, metafile } = await build({
          stdin: { contents: textOf(name), resolveDir: folder },
          bundle: true,
          platform: 'browser',
          format: 'esm',
          write: false,
          metafile: true,
        });
        expect(outputFiles[0]?.text).not.toMatch(/["']node:/);
        expect(Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/ws/'))).toEqual([]);
      });
    });

    it.each([
      ['signalbox', /^signalbox \d/],
      ['signalbox-agent', /\(signalbox-agent \d/],
    ])('[PK5] brings %s along', async (name, version) => {
      const { bin } = await installed.manifest();
      const env = { PATH: process.env['PATH'], HOME: installed.project };
      const { stdout } = await run(join(installed.folder, bin[name] ?? ''), ['-v'], {
        cwd: installed.project,
        env,
      });
      expect(stdout).toMatch(version);
    });

    it('[PK6] is imported without a library, and without what few programs need', async () => {
      const loaded = [...(await loadedBy('index.js'))];
      expect(loaded.length).toBeGreaterThan(5);
      expect(loaded.filter((name) => !/^(?:node:|index\.js$|chunks\/chunk-)/.test(name))).toEqual([]);
      const withShellParser: string[] = [];
      for (const name of await readdir(join(installed.folder, 'chunks')))
        if ((await readFile(join(installed.folder, 'chunks', name), 'utf8')).includes('HereDoc'))
          withShellParser.push(join('chunks', name));
      expect(withShellParser.length).toBe(1);
      expect(loaded).not.toContain(withShellParser[0]);
      const { dependencies } = await installed.manifest();
      expect(Object.keys(dependencies)).toEqual(['@modelcontextprotocol/sdk', 'ws', 'zod']);
    });
  });
}
