// @ts-check
// Makes dist/npm/signalbox: the SDK as a package to install, its types, and the executables beside it.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { directImports } from './direct-imports.js';
import { putFile } from './put-file.js';
import { sdkTypes, typesOf } from './sdk-types.js';
import { root } from './setup.js';

const SDK = join(root, 'packages', 'sdk');

/** The package, as it is published. */
export const PACKAGE_FOLDER = join(root, 'dist', 'npm', 'signalbox');

/** The executables are scripts; the package holds modules. */
const EXECUTABLES = 'bin';

/** What a program imports, by the name of its file. */
const ENTRIES = {
  index: 'src/index.ts',
  browser: 'src/browser/index.ts',
  hub: 'src/hub/index.ts',
  model: '../model/src/index.ts',
  wire: 'src/wire/index.ts',
};

/** What is types only: a program that is compiled imports nothing of it. */
const TYPE_ENTRIES = { './sdk-tools': 'src/sdk-tools/index.ts', './sdk-tools.js': 'src/sdk-tools/index.ts' };

/** What runs in web pages as well. There it gets modules of its own, without anything of Node. */
const PAGE_ENTRIES = ['browser', 'hub'];
const PAGE_FOLDER = 'page';

/** What is not bundled: a program shares it with us, has types of it in its hands, or wants its fixes before we publish. */
const SHARED = ['@modelcontextprotocol/sdk', 'ws', 'zod'];

/**
 * @param {typeof import('esbuild')} esbuild
 * @param {import('esbuild').BuildOptions & { metafile: true, write: false }} common
 * @param {readonly string[]} executables files of dist/ that make up the executables
 */
export async function buildSdk(esbuild, common, executables) {
  /** @type {Map<string, { content: string | Buffer, mode?: number }>} */
  const files = new Map();
  const manifest = packageManifest();
  files.set('package.json', { content: `${JSON.stringify(manifest, null, 2)}\n` });
  files.set('README.md', { content: readFileSync(join(SDK, 'README.md')) });
  files.set('LICENSE', { content: readFileSync(join(root, 'LICENSE')) });
  for (const [path, content] of await modules(esbuild, common)) files.set(path, { content });
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  for (const [path, content] of sdkTypes(Object.values({ ...ENTRIES, ...TYPE_ENTRIES }), dependencies))
    files.set(path, { content });
  for (const file of executables) {
    const path = join(EXECUTABLES, relative(join(root, 'dist'), file));
    files.set(path, { content: readFileSync(file), mode: statSync(file).mode & 0o777 });
  }
  for (const [path, { content, mode }] of files) putFile(join(PACKAGE_FOLDER, path), content, mode);
  removeOthers(new Set(files.keys()));
}

/** @returns {Promise<Map<string, string>>} */
async function modules(
  /** @type {typeof import('esbuild')} */ esbuild,
  /** @type {import('esbuild').BuildOptions & { metafile: true, write: false }} */ common,
) {
  const sources = Object.entries(ENTRIES).map(
    ([name, source]) => /** @type {const} */ ([name, join(SDK, source)]),
  );
  /** @type {import('esbuild').BuildOptions & { write: false }} */
  const options = {
    ...common,
    external: [...(common.external ?? []), ...SHARED],
    // Who looks for a mistake of theirs steps through this; nobody waits for what that costs.
    minifyWhitespace: false,
    minifySyntax: false,
    plugins: [directImports],
  };
  const built = await Promise.all([
    esbuild.build({ ...options, outdir: PACKAGE_FOLDER, entryPoints: Object.fromEntries(sources) }),
    esbuild.build({
      ...options,
      outdir: join(PACKAGE_FOLDER, PAGE_FOLDER),
      entryPoints: Object.fromEntries(sources.filter(([name]) => PAGE_ENTRIES.includes(name))),
      platform: 'browser',
      target: 'es2022',
    }),
  ]);
  const files = built.flatMap(({ outputFiles }) => outputFiles);
  return new Map(files.map(({ path, text }) => [relative(PACKAGE_FOLDER, path), text]));
}

function packageManifest() {
  const own = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'));
  const { dependencies: ofHub } = JSON.parse(readFileSync(join(root, 'packages/hub/package.json'), 'utf8'));
  const { version, description, license, type, sideEffects, engines } = own;
  const entries = Object.entries(ENTRIES).map(([name, source]) => {
    const types = typesAt(source);
    const path = name === 'index' ? '.' : `./${name}`;
    const file = `./${name}.js`;
    if (!PAGE_ENTRIES.includes(name)) return [path, { types, default: file }];
    const page = `./${PAGE_FOLDER}/${name}.js`;
    return [path, { types, browser: page, node: file, default: page }];
  });
  const byPath = Object.fromEntries(entries);
  const ofTypes = Object.entries(TYPE_ENTRIES).map(([path, source]) => [path, { types: typesAt(source) }]);
  return {
    name: own.name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines,
    bin: {
      signalbox: `./${EXECUTABLES}/signalbox.js`,
      'signalbox-agent': `./${EXECUTABLES}/signalbox-agent.js`,
    },
    // The official package has a part of itself there; whoever imports it gets all of ours.
    exports: {
      ...byPath,
      './core': byPath['.'],
      ...Object.fromEntries(ofTypes),
      './package.json': './package.json',
    },
    // A program brings its own zod: its schemas go into ours.
    dependencies: Object.fromEntries(SHARED.map((name) => [name, `^${own.dependencies[name]}`])),
    // Without the first there is no hub, without the second no terminal, and all else works.
    optionalDependencies: { libsql: ofHub.libsql, '@lydell/node-pty': ofHub['@lydell/node-pty'] },
    peerDependencies: { '@types/node': '>=20' },
    peerDependenciesMeta: { '@types/node': { optional: true } },
  };
}

function typesAt(/** @type {string} */ source) {
  return `./${typesOf(posix.join('sdk', source))}`;
}

/** What an earlier build left would be published. */
function removeOthers(/** @type {ReadonlySet<string>} */ files) {
  for (const name of readdirSync(PACKAGE_FOLDER, { recursive: true, encoding: 'utf8' })) {
    const path = join(PACKAGE_FOLDER, name);
    const isOurs = files.has(name) || [...files].some((file) => file.startsWith(`${name}${sep}`));
    // Another build may be writing its drafts.
    if (!isOurs && !name.endsWith('.tmp')) rmSync(path, { recursive: true, force: true });
  }
}
