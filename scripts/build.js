// @ts-check
// Makes dist/: signalbox.js and signalbox-agent.js, and beside them what they load when they need it.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.js';
import { buildScripts, compile, putScript } from './build-scripts.js';
import { buildSdk } from './build-sdk.js';
import { directImports } from './direct-imports.js';
import { putFile } from './put-file.js';
import { root, setUp } from './setup.js';

const dist = join(root, 'dist');

const LIGHT_HEADERS = join(root, 'packages/agent/src/model/light-headers.ts');

/** Chunks of earlier builds stay for a while: a program that runs may still load them. */
const STALE_AFTER_MS = 3_600_000;

const NO_MODEL = {
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  CLAUDE_CODE_MAX_RETRIES: '0',
};

/**
 * The files of this build.
 * @type {Set<string>}
 */
const current = new Set();

/** @type {import('esbuild').BuildOptions & { metafile: true, write: false }} */
const COMMON = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  define: {
    SIGNALBOX_VERSION: JSON.stringify(versionOf('package.json')),
    // Otherwise React brings all that helps those who write for it.
    'process.env.NODE_ENV': '"production"',
  },
  // Optional speed-ups of ws that it does without, and SQLite and terminals, which are no JavaScript.
  external: ['bufferutil', 'utf-8-validate', 'libsql', '@lydell/node-pty', 'pg-native'],
  // Names stay, for stack traces; the rest is what a start has to read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'eof',
  logLevel: 'warning',
  metafile: true,
  write: false,
};

/**
 * The official model client makes its headers with the platform's class, and asks whether a body is the platform's form:
 * either loads undici, a fifth of the agent's start. It also asks whether a body is one of the platform's streams, which loads
 * those. Only the client's own modules get something lighter; who calls the platform's `fetch`, as MCP does, keeps what that expects.
 * @type {import('esbuild').Plugin}
 */
const lightClient = {
  name: 'light-client',
  setup(/** @type {import('esbuild').PluginBuild} */ bundle) {
    const light = `import { LightHeaders as Headers } from ${JSON.stringify(LIGHT_HEADERS)}; class FormData {}\n`;
    bundle.onLoad({ filter: /@anthropic-ai[\\/]sdk[\\/].*\.mjs$/ }, async ({ path }) => {
      const define = { 'globalThis.ReadableStream': 'undefined' };
      const { code } = await bundle.esbuild.transform(readFileSync(path, 'utf8'), { define });
      return { contents: light + code };
    });
  },
};

/**
 * Tables of all emoji are made when `string-width` is loaded, which takes longer than to list the sessions of a hub. Required, it is loaded
 * once somebody has to measure what may be wider than its characters.
 * @type {import('esbuild').Plugin}
 */
const lateStringWidth = {
  name: 'late-string-width',
  setup(/** @type {import('esbuild').PluginBuild} */ bundle) {
    bundle.onLoad({ filter: /[\\/]chat[\\/]src[\\/]text[\\/]text-width\.ts$/ }, ({ path }) => {
      const before = "import stringWidth from 'string-width';";
      const after =
        "let loaded: any; const stringWidth = (text: string): number => (loaded ??= require('string-width').default)(text);";
      const source = readFileSync(path, 'utf8');
      if (!source.includes(before)) throw new Error(`${path} does not import string-width any more`);
      return { contents: source.replace(before, after), loader: 'ts' };
    });
  },
};

export async function build() {
  // It takes seconds on a fresh clone, in which nobody should wonder whether anything happens.
  if (!existsSync(dist)) console.error('signalbox: building (first run) …');
  const esbuild = await import('esbuild');
  // First of all: without it a fresh dist/ would hold modules, and its scripts could not be compiled.
  put(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  await buildThreads(esbuild);
  await buildSignalbox(esbuild);
  await buildAgent(esbuild);
  for (const file of await buildConsole(join(dist, 'console'))) current.add(file);
  await buildSdk(esbuild, COMMON, [...current]);
  removeStale();
  // Its service would stay for as long as this process, and `npm start` stays for as long as the hub.
  await esbuild.stop();
}

/**
 * The store, its search index and its backups run on threads of their own, which look for their programs beside whoever starts them. A
 * thread shares no memory: by itself it holds what it uses, and not what others use of the same modules.
 */
async function buildThreads(/** @type {typeof import('esbuild')} */ esbuild) {
  const { outputFiles } = await esbuild.build({
    ...COMMON,
    splitting: false,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { ...COMMON.define, 'import.meta.url': 'module.url' },
    plugins: [directImports],
    entryPoints: {
      'chunks/store-worker': 'packages/hub/src/store/sqlite/store-worker.ts',
      'chunks/search-worker': 'packages/hub/src/store/sqlite/search/search-worker.ts',
      'chunks/postgres-worker': 'packages/hub/src/store/postgres/postgres-worker.ts',
      'chunks/postgres-search-worker': 'packages/hub/src/store/postgres/search/postgres-search-worker.ts',
      'chunks/backup-worker': 'packages/hub/src/store/sqlite/backup/backup-worker.ts',
      'chunks/copy-worker': 'packages/hub/src/store/copy/copy-worker.ts',
      'chunks/transcript-worker': 'packages/cli/src/up/transcript-worker.ts',
    },
  });
  const launcher = readFileSync(join(root, 'scripts', 'thread-launcher.cjs'), 'utf8');
  const scripts = outputFiles.map(({ path, text }) => {
    const script = path.replace(/\.js$/, '-script.js');
    put(path, launcher.replace('SCRIPT', basename(script)));
    putScript(put, script, `(function (module, require) {'use strict';${text}\n})\n`);
    return script;
  });
  compile('compile-whole.cjs', scripts, scripts);
}

/** `signalbox`, all of whose commands are compiled. */
async function buildSignalbox(/** @type {typeof import('esbuild')} */ esbuild) {
  const files = await buildScripts(esbuild, COMMON, put, {
    name: 'signalbox.js',
    entry: 'packages/cli/src/signalbox.ts',
    // What lists sessions is what nearly every command needs of a hub.
    together: ['packages/cli/src/sessions-command.ts'],
    plugins: [lateStringWidth, directImports],
  });
  compile('compile-whole.cjs', files, files);
}

async function buildAgent(/** @type {typeof import('esbuild')} */ esbuild) {
  const [first = ''] = await buildScripts(esbuild, COMMON, put, {
    name: 'signalbox-agent.js',
    entry: 'packages/cli/src/signalbox-agent.ts',
    plugins: [lightClient, lateStringWidth],
  });
  // The session that is played for it asks a model where none is, so that the client gets compiled, and its exit code is 1.
  compile('compile-played.cjs', [join(dist, 'signalbox-agent.js')], [first], NO_MODEL);
}

/** Write a file of this build. Says whether it changed. */
function put(/** @type {string} */ file, /** @type {string} */ text, mode = 0o644) {
  current.add(file);
  return putFile(file, text, mode);
}

function removeStale() {
  for (const name of readdirSync(join(dist, 'chunks'))) {
    const file = join(dist, 'chunks', name);
    const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    const isCurrent = current.has(file.replace(/\.v\d[\d.]*$/, ''));
    if (!isCurrent && mtimeMs < Date.now() - STALE_AFTER_MS) rmSync(file, { force: true });
  }
}

function versionOf(/** @type {string} */ manifest) {
  return JSON.parse(readFileSync(join(root, manifest), 'utf8')).version;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  setUp();
  await build();
}
