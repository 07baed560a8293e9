// @ts-check
// Makes an executable of dist/: a launcher, and the scripts that it loads. Only scripts can be compiled ahead of time.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from './setup.js';

/**
 * @typedef {object} Executable
 * @property {string} name its file in dist/
 * @property {string} entry the source that it runs
 * @property {string[]} [together] sources that are loaded with it nearly always: in one file with it they are found sooner
 * @property {import('esbuild').Plugin[]} plugins
 */

/**
 * Build an executable and give the files that it loads.
 * @param {typeof import('esbuild')} esbuild
 * @param {import('esbuild').BuildOptions & { metafile: true, write: false }} common
 * @param {(file: string, text: string, mode?: number) => boolean} put says whether the file changed
 */
export async function buildScripts(
  esbuild,
  common,
  put,
  /** @type {Executable} */ { name, entry, together = [], plugins },
) {
  const { outputFiles, metafile } = await esbuild.build({
    ...common,
    entryPoints: [entry],
    entryNames: 'chunks/[name]-[hash]',
    plugins,
  });
  const chunks = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await esbuild.transform(text, {
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        supported: { 'dynamic-import': false },
        define: { 'import.meta.url': 'module.url' },
        minifyWhitespace: true,
        minifySyntax: true,
      });
      return { path, function: `'./${basename(path)}'(module, exports, require) {${code}\n}` };
    }),
  );
  const first = pathOf(metafile, entry);
  const early = [entry, ...together].reduce(
    (found, source) => addLoaded(metafile, pathOf(metafile, source), found),
    new Set(),
  );
  const isEarly = (/** @type {string} */ path) => early.has(path.slice(root.length + 1));
  const files = [
    { path: join(root, first), inside: chunks.filter(({ path }) => isEarly(path)) },
    ...chunks.filter(({ path }) => !isEarly(path)).map((chunk) => ({ path: chunk.path, inside: [chunk] })),
  ];
  for (const { path, inside } of files) {
    putScript(put, path, `({${inside.map((chunk) => chunk.function).join(',\n')}})\n`);
  }
  const launcher = readFileSync(join(root, 'scripts', 'launcher.cjs'), 'utf8');
  put(join(root, 'dist', name), launcher.replace('ENTRY_CHUNK', basename(first)), 0o755);
  return files.map(({ path }) => path);
}

/**
 * Write a script. What was compiled of other code must never run in its place: V8 compares no more than the length.
 * @param {(file: string, text: string, mode?: number) => boolean} put says whether the file changed
 */
export function putScript(put, /** @type {string} */ path, /** @type {string} */ text) {
  if (put(path, text)) rmSync(compiledFile(path), { force: true });
}

/** The file that esbuild makes of a source. */
function pathOf(/** @type {import('esbuild').Metafile} */ { outputs }, /** @type {string} */ source) {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
  if (path === undefined) throw new Error(`There is no chunk of ${source}.`);
  return path;
}

/** A chunk and all that are loaded with it, in the order in which they are met. */
function addLoaded(
  /** @type {import('esbuild').Metafile} */ metafile,
  /** @type {string} */ path,
  /** @type {Set<string>} */ found,
) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { kind, path: imported, external } of metafile.outputs[path]?.imports ?? [])
    if (kind === 'import-statement' && !external) addLoaded(metafile, imported, found);
  return found;
}

/** What this Node compiled of a file; the launcher looks for it there. */
function compiledFile(/** @type {string} */ file) {
  return `${file}.${process.version}`;
}

/**
 * Have a program compile what is not compiled yet.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {readonly string[]} files
 */
export function compile(program, words, files, env = {}) {
  if (files.every((file) => existsSync(compiledFile(file)))) return;
  // A process of its own: what is kept goes by the flags that V8 has.
  spawnSync(process.execPath, [join(root, 'scripts', program), ...words], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
    stdio: 'ignore',
  });
}
