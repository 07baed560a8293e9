import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'dist', 'test');

/** What tests start in processes of their own, beside the executables. */
const PROGRAMS = [
  'packages/agent/test/debug-child.ts',
  'packages/agent/test/mcp/odd-server.ts',
  'packages/agent/test/session/appending-child.ts',
  'packages/agent/test/session/loading-child.ts',
  'packages/chat/test/chat-launcher.ts',
  'packages/chat/test/pick-launcher.ts',
  'packages/chat/test/small-agent.ts',
  'packages/hub/test/bridge/hub-process.ts',
  'packages/hub/test/bridge/removing-child.ts',
  'packages/hub/test/chaos/chatty-agent.ts',
  'packages/hub/test/chaos/noting-agent.ts',
  'packages/hub/test/chaos/spending-agent.ts',
  'packages/hub/test/chaos/writing-shell.ts',
  'packages/hub/test/chaos/writing-viewer.ts',
  'packages/hub/test/store/appending-child.ts',
  'packages/hub/test/store/copy/copying-child.ts',
  'packages/hub/test/store/searching-child.ts',
  'packages/hub/test/store/full-disk-child.ts',
  'packages/hub/test/store/opening-child.ts',
  'packages/transport/test/stdio/own-stdio-program.ts',
  'packages/transport/test/stdio/remote-end.ts',
] as const;

/** Bundled CommonJS still calls `require`, which a module does not have. */
const REQUIRE = `import { createRequire as signalboxCreateRequire } from 'node:module';
const require = signalboxCreateRequire(import.meta.url);`;

/** A window for developers of Ink, which it would load at the start and opens only when asked to. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    bundle.onLoad({ filter: /^/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};

/** A program that tests start, as one plain file: through a loader each start would take a second. */
export function builtProgram(source: (typeof PROGRAMS)[number]): string {
  return join(FOLDER, `${nameOf(source)}.mjs`);
}

/** An example, without its types. */
export function builtExample(name: string): string {
  return join(FOLDER, 'examples', `${name}.mjs`);
}

const COMMON: BuildOptions = {
  absWorkingDir: ROOT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  banner: { js: REQUIRE },
  external: ['bufferutil', 'utf-8-validate', 'libsql', '@lydell/node-pty', 'esbuild'],
  logLevel: 'error',
};

/** Before the tests, once; after the executables. */
export async function buildPrograms(): Promise<void> {
  await Promise.all([buildOwn(), buildExamples()]);
  linkThreads();
}

/** A store looks for the programs of its threads beside the program that it is part of. */
function linkThreads(): void {
  for (const name of readdirSync(join(ROOT, 'dist', 'chunks')).filter((one) => one.endsWith('-worker.js')))
    writeFileSync(join(FOLDER, name), `require('../chunks/${name}');\n`);
}

async function buildExamples(): Promise<void> {
  const folder = join(ROOT, 'examples');
  await build({
    ...COMMON,
    entryPoints: readdirSync(folder).map((name) => join(folder, name)),
    outdir: join(FOLDER, 'examples'),
    // They look for the agent and for packages from where they are.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(folder, 'stage.ts')).href),
      'import.meta.dirname': JSON.stringify(folder),
    },
  });
}

async function buildOwn(): Promise<void> {
  await build({
    ...COMMON,
    entryPoints: Object.fromEntries(PROGRAMS.map((source) => [nameOf(source), source])),
    outdir: FOLDER,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [withoutDevtools],
  });
}

function nameOf(source: string): string {
  return source
    .replace(/^packages\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-');
}
