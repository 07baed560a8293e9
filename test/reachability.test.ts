import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What nothing that ships uses, and why it is there all the same. */
const KEPT: Record<string, string> = {
  AcceptedHybridTransport: 'the server that the contract suite of transports runs hybrid clients against',
  jsxDEV: 'what JSX is compiled to while the page is worked on',
  checkControlPayload: 'the strict schemas of answers, which tests hold against recordings',
  openMemoryStore: 'the store of the tests of everything above it',
};

/** The same, as the bundles see it. */
const UNREACHED = [
  'packages/console/src/shown/jsx-runtime.ts: jsxDEV',
  'packages/hub/src/store/sqlite/memory-store.ts',
  'packages/hub/src/store/sqlite/search/local-search.ts',
  'packages/protocol/src/parse/encode-message.ts: checkControlPayload',
];

const DECLARED =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/** Names that a file exports and neither it nor any other file uses; lists of a package's exports are no use. */
function unused(sources: ReadonlyMap<string, string>): string[] {
  const usedBy = new Map<string, number>();
  const code = new Map([...sources].map(([path, text]) => [path, text.replaceAll(COMMENT, '')]));
  for (const [path, text] of code) {
    if (isExportList(path)) continue;
    for (const word of new Set(text.match(/\w+/g))) usedBy.set(word, (usedBy.get(word) ?? 0) + 1);
  }
  return [...code].flatMap(([path, text]) =>
    Array.from(text.matchAll(DECLARED), (match) => match[1] ?? '')
      .filter((name) => usedBy.get(name) === 1 && text.split(RegExp(`\\b${name}\\b`)).length === 2)
      .map((name) => `${path}: ${name}`),
  );
}

/** The SDK's lists are what programs import; those of the other packages, which nobody else can, prove nothing. */
function isExportList(path: string): boolean {
  return path.endsWith('/index.ts') && !path.startsWith('packages/sdk/');
}

function sourceFiles(): Map<string, string> {
  return new Map(
    readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
      .map((name) => join('packages', name))
      .filter((path) => /^packages\/(?!testing\/)\w+\/src\/.*\.tsx?$/.test(path))
      .map((path) => [relative(root, join(root, path)), readFileSync(join(root, path), 'utf8')]),
  );
}

/** Everything that is started or imported from outside: executables, the store's thread, entry points of packages, the page. */
const NODE_ENTRIES = [
  'packages/cli/src/signalbox.ts',
  'packages/cli/src/signalbox-agent.ts',
  'packages/hub/src/store/sqlite/store-worker.ts',
  'packages/hub/src/store/sqlite/search/search-worker.ts',
  'packages/hub/src/store/postgres/postgres-worker.ts',
  'packages/hub/src/store/postgres/search/postgres-search-worker.ts',
  'packages/hub/src/store/sqlite/backup/backup-worker.ts',
  'packages/hub/src/store/copy/copy-worker.ts',
  'packages/cli/src/up/transcript-worker.ts',
  'packages/model/src/index.ts',
  'packages/sdk/src/index.ts',
  'packages/sdk/src/hub/index.ts',
  'packages/sdk/src/wire/index.ts',
];
const PAGE_ENTRIES = [
  'packages/console/src/main.tsx',
  'packages/console/src/highlight/highlight.worker.ts',
  'packages/console/src/worker/service-worker.ts',
  'packages/console/src/worker/offline-page.ts',
  'packages/sdk/src/browser/index.ts',
];

const ourPackagesOnly: Plugin = {
  name: 'our-packages-only',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || /^(?:#|@signalbox\/|signalbox(?:\/|$))/.test(path)
        ? undefined
        : { path, external: true, sideEffects: false },
    );
  },
};

/** Sources, and functions and classes in them, that are in no bundle of these entries: bundling drops what nothing calls. */
async function unreached(
  sources: ReadonlyMap<string, string>,
  bundles: readonly BuildOptions[],
): Promise<string[]> {
  const names = new Set<string>();
  const reached = new Set<string>();
  for (const options of bundles) {
    const { outputFiles, metafile } = await build({
      bundle: true,
      format: 'esm',
      jsx: 'automatic',
      loader: { '.css': 'empty' },
      logLevel: 'error',
      outdir: 'nowhere',
      splitting: true,
      target: 'esnext',
      absWorkingDir: root,
      plugins: [ourPackagesOnly],
      ...options,
      metafile: true,
      write: false,
    });
    // Two things of one name are told apart by a number.
    for (const { text } of outputFiles)
      for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) names.add(name).add(name.replace(/\d+$/, ''));
    for (const { inputs } of Object.values(metafile.outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs))
        if (bytesInOutput > 0) reached.add(path);
  }
  const found: string[] = [];
  for (const [path, text] of sources) {
    if (!reached.has(path)) {
      if (await hasCode(path, text)) found.push(path);
      continue;
    }
    for (const [, name = ''] of text.matchAll(DEFINED)) if (!names.has(name)) found.push(`${path}: ${name}`);
  }
  return found;
}

const DEFINED = /^(?:export )?(?:abstract )?(?:async )?(?:function\*?|class) (\w+)/gm;

/** Types and lists of exports leave nothing behind. */
async function hasCode(path: string, text: string): Promise<boolean> {
  const { code } = await transform(text, { loader: path.endsWith('x') ? 'tsx' : 'ts', jsx: 'automatic' });
  return (
    code.replaceAll(/^(?:import|export) (?:\{[^}]*\}|.*) from .*;$|^export \{[^}]*\};$/gm, '').trim() !== ''
  );
}

describe('what ships', () => {
  it('[RE1300] has every function and class of the sources', async () => {
    const sources = sourceFiles();
    const found = await unreached(sources, [
      { platform: 'node', entryPoints: NODE_ENTRIES, external: ['bufferutil', 'utf-8-validate', 'libsql'] },
      { platform: 'browser', entryPoints: PAGE_ENTRIES },
    ]);
    expect(found.toSorted()).toEqual(UNREACHED);
  });

  it('[RE1300] is told from what only unused code calls', async () => {
    const files = {
      'packages/hub/src/main.ts': "import { used } from './a.ts';\nused();",
      'packages/hub/src/a.ts':
        "import { deep } from './b.ts';\nexport function used() { console.log(1); }\nexport function lost() { deep(); }",
      'packages/hub/src/b.ts': 'export function deep() { console.log(2); }\n',
      'packages/hub/src/types.ts': 'export interface Some { a: 1 }',
    };
    const inMemory: Plugin = {
      name: 'in-memory',
      setup(bundle) {
        bundle.onResolve({ filter: /.*/ }, ({ path }) => ({
          path: join(root, 'packages/hub/src', path.replace(/.*\//, '')),
        }));
        bundle.onLoad({ filter: /.*/ }, ({ path }) => ({
          contents: Object.entries(files).find(([name]) => path.endsWith(name))?.[1] ?? '',
          loader: 'ts',
        }));
      },
    };
    const entryPoints = ['packages/hub/src/main.ts'];
    expect(await unreached(new Map(Object.entries(files)), [{ entryPoints, plugins: [inMemory] }])).toEqual([
      'packages/hub/src/a.ts: lost',
      'packages/hub/src/b.ts',
    ]);
  });

  it('[RE510] uses all that the sources export', () => {
    const sources = sourceFiles();
    expect(sources.size).toBeGreaterThan(500);
    const found = unused(sources);
    expect(found.filter((line) => !((line.split(': ')[1] ?? '') in KEPT))).toEqual([]);
    expect(Object.keys(KEPT).filter((name) => !found.some((line) => line.endsWith(`: ${name}`)))).toEqual([]);
  });

  it('[RE510] is told from what only a list or a comment names', () => {
    const sources = new Map([
      ['packages/hub/src/index.ts', "export { lost, used } from './a.ts';"],
      [
        'packages/hub/src/a.ts',
        'export function lost() {}\nexport const used = 1; // lost\nexport type Own = 1;\nlet x: Own;',
      ],
      ['packages/hub/src/b.ts', "import { used } from './a.ts';\nconsole.log(used);"],
    ]);
    expect(unused(sources)).toEqual(['packages/hub/src/a.ts: lost']);
  });
});
