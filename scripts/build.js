// @ts-check
// Makes dist/: signalbox.js and signalbox-agent.js, and beside them what they load when they need it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.js';
import { buildSdk } from './build-sdk.js';
import { directImports } from './direct-imports.js';
import { putFile } from './put-file.js';
import { root, setUp } from './setup.js';

const dist = join(root, 'dist');

/** Bundled CommonJS dependencies still call `require`, which a module does not have. */
const REQUIRE = `import { createRequire as signalboxCreateRequire } from 'node:module';
const require = signalboxCreateRequire(import.meta.url);`;

/** The chat needs modules that wait while they load, which a chunk of the agent cannot: it is a file of its own. */
const CHAT = './chat.mjs';

const AGENT = 'packages/cli/src/signalbox-agent.ts';

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
 * once somebody has to measure what is not plain ASCII.
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
  await buildModules(esbuild);
  await buildAgent(esbuild);
  for (const file of await buildConsole(join(dist, 'console'))) current.add(file);
  await buildSdk(esbuild, COMMON, [...current]);
  removeStale();
  // Its service would stay for as long as this process, and `npm start` stays for as long as the hub.
  await esbuild.stop();
}

/** `signalbox` and the chat, as modules. */
async function buildModules(/** @type {typeof import('esbuild')} */ esbuild) {
  /** @type {import('esbuild').BuildOptions} */
  const modules = {
    ...COMMON,
    outExtension: { '.js': '.mjs' },
    banner: { js: REQUIRE },
    plugins: [lateStringWidth, directImports],
  };
  const built = await Promise.all([
    esbuild.build({
      ...modules,
      entryPoints: { signalbox: 'packages/cli/src/signalbox.ts', chat: 'packages/chat/src/index.ts' },
    }),
    // The store, its search index and its backups run on threads of their own, which look for their programs beside whoever starts them. A
    // thread shares no memory: by itself it holds what it uses, and not what others use of the same modules.
    esbuild.build({
      ...modules,
      splitting: false,
      entryPoints: {
        'chunks/store-worker': 'packages/hub/src/store/sqlite/store-worker.ts',
        'chunks/search-worker': 'packages/hub/src/store/sqlite/search/search-worker.ts',
        'chunks/postgres-worker': 'packages/hub/src/store/postgres/postgres-worker.ts',
        'chunks/postgres-search-worker': 'packages/hub/src/store/postgres/search/postgres-search-worker.ts',
        'chunks/backup-worker': 'packages/hub/src/store/sqlite/backup/backup-worker.ts',
        'chunks/copy-worker': 'packages/hub/src/store/copy/copy-worker.ts',
        'chunks/transcript-worker': 'packages/cli/src/up/transcript-worker.ts',
      },
    }),
  ]);
  for (const { path, text } of built.flatMap(({ outputFiles = [] }) => outputFiles)) put(path, text);
  put(join(dist, 'signalbox.js'), "#!/usr/bin/env node\nimport('./signalbox.mjs');\n", 0o755);
}

/** The agent, as scripts: only they can be compiled ahead of time. */
async function buildAgent(/** @type {typeof import('esbuild')} */ esbuild) {
  const { outputFiles, metafile } = await esbuild.build({
    ...COMMON,
    entryPoints: [AGENT],
    entryNames: 'chunks/[name]-[hash]',
    alias: { '@signalbox/chat': CHAT },
    plugins: [lightClient],
    external: [...(COMMON.external ?? []), CHAT],
  });
  for (const { path, text } of outputFiles) {
    const { code } = await esbuild.transform(text.replaceAll(`import("${CHAT}")`, `importFile("${CHAT}")`), {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
      minifyWhitespace: true,
      minifySyntax: true,
    });
    // What was compiled of other code must never run in its place: V8 compares no more than the length.
    if (put(path, code)) rmSync(compiledFile(path), { force: true });
  }
  const [entry = ''] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === AGENT) ?? [];
  const launcher = readFileSync(join(root, 'scripts', 'agent-launcher.cjs'), 'utf8');
  put(join(dist, 'signalbox-agent.js'), launcher.replace('ENTRY_CHUNK', basename(entry)), 0o755);
  if (!existsSync(compiledFile(join(root, entry)))) compileChunks();
}

/** What this Node compiled of a chunk; the launcher looks for it there. */
function compiledFile(/** @type {string} */ chunk) {
  return `${chunk}.${process.version}`;
}

function compileChunks() {
  const script = join(root, 'scripts', 'compile-chunks.cjs');
  // The session that is played for it asks a model where none is, so that the client gets compiled, and its exit code is 1.
  spawnSync(process.execPath, [script, join(dist, 'signalbox-agent.js')], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...NO_MODEL },
    stdio: 'ignore',
  });
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
