import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { isUrl } from '../packages/protocol/src/is-url.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each package may import of the others: dependencies point one way, and hub and agent meet on the wire. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  transport: ['protocol'],
  model: ['protocol'],
  sdk: ['protocol', 'transport'],
  agent: ['protocol', 'transport'],
  chat: ['protocol', 'transport'],
  hub: ['protocol', 'transport'],
  testing: ['protocol', 'transport', 'model', 'sdk', 'hub'],
  console: ['protocol', 'sdk'],
  cli: ['protocol', 'transport', 'model', 'sdk', 'agent', 'chat', 'hub', 'console'],
};

/**
 * What each folder of the agent may import of the others: only folders above it in this list, so that there is no circle.
 * A helper that a folder may not import from where it is belongs further up.
 */
const AGENT_FOLDERS: Record<string, readonly string[]> = {
  base: [],
  process: ['base'],
  'command-line': ['base'],
  model: ['base'],
  session: ['base'],
  settings: ['base'],
  permission: ['base', 'command-line', 'settings'],
  project: ['base', 'command-line'],
  sandbox: ['base', 'settings', 'permission'],
  tasks: ['base', 'process'],
  tools: ['base', 'process', 'permission', 'project', 'sandbox', 'tasks'],
  hooks: ['base', 'process'],
  mcp: ['base', 'process', 'settings', 'tools'],
  loop: [
    'base',
    'command-line',
    'model',
    'session',
    'permission',
    'project',
    'tasks',
    'tools',
    'hooks',
    'mcp',
  ],
  subagents: ['base', 'model', 'session', 'project', 'tasks', 'tools', 'loop'],
  commands: ['base', 'model', 'project', 'mcp', 'loop'],
  conversation:
    'base command-line model session permission project sandbox tasks tools hooks mcp loop subagents commands'.split(
      ' ',
    ),
  start:
    'base command-line model session settings permission project sandbox hooks mcp loop conversation'.split(
      ' ',
    ),
  io: ['base', 'command-line', 'session', 'settings', 'loop', 'conversation', 'start'],
  control: [
    'base',
    'model',
    'settings',
    'permission',
    'project',
    'tasks',
    'tools',
    'mcp',
    'loop',
    'commands',
    'conversation',
    'io',
  ],
  spare: 'base command-line session settings permission loop conversation start io control'.split(' '),
  serve: ['base', 'loop', 'tools', 'conversation'],
  subcommands: ['base', 'command-line', 'settings', 'project', 'tools', 'mcp', 'start'],
};

/** The same of the hub: doors are thin, and what anybody may do is decided by the services that they call. */
const HUB_FOLDERS: Record<string, readonly string[]> = {
  base: [],
  git: [],
  worktrees: ['base', 'git'],
  store: ['base'],
  bridge: [],
  'terminal-host': ['bridge'],
  auth: ['store'],
  policy: ['base', 'store'],
  spend: ['store', 'policy'],
  profiles: ['base'],
  'saved-prompts': ['base'],
  notices: ['base', 'store'],
  'sessions/asks': ['base', 'store', 'policy'],
  'sessions/inbox': ['base', 'store'],
  'sessions/agent': ['base', 'store', 'bridge'],
  sessions: [
    'base',
    'store',
    'policy',
    'spend',
    'notices',
    'sessions/asks',
    'sessions/inbox',
    'sessions/agent',
  ],
  launch: ['base', 'store', 'bridge', 'auth', 'sessions'],
  loops: ['store', 'sessions'],
  terminals: ['bridge', 'store', 'auth', 'launch', 'terminal-host'],
  views: ['store', 'sessions', 'launch', 'terminals'],
  changes: ['base', 'git'],
  folders: ['base', 'changes'],
  service: [
    'base',
    'worktrees',
    'store',
    'policy',
    'spend',
    'profiles',
    'saved-prompts',
    'notices',
    'auth',
    'sessions/asks',
    'sessions/agent',
    'sessions',
    'launch',
    'loops',
    'terminals',
    'changes',
    'folders',
    'views',
  ],
  'doors/http': ['base', 'bridge', 'auth', 'launch'],
  'doors/dial-in': ['base', 'store', 'auth', 'sessions', 'service', 'doors/http'],
  'doors/rest': ['base', 'store', 'auth', 'sessions', 'service', 'doors/http'],
  'doors/stream': ['base', 'store', 'auth', 'sessions', 'service', 'doors/http'],
  'doors/terminal': ['auth', 'store', 'terminals', 'service', 'doors/http'],
  'doors/relay': [
    'base',
    'store',
    'auth',
    'sessions/asks',
    'sessions',
    'service',
    'doors/http',
    'doors/dial-in',
  ],
  nodes: ['base', 'store', 'bridge', 'auth', 'service', 'doors/http'],
};

/** Entries that run in a browser. */
const BROWSER_ENTRIES = [
  'packages/protocol/src/index.ts',
  'packages/sdk/src/browser/index.ts',
  'packages/sdk/src/hub/index.ts',
];

const PACKAGE_NAMES: Record<string, string> = Object.fromEntries(
  Object.keys(MAY_IMPORT).map((folder) => [folder === 'sdk' ? 'signalbox' : `@signalbox/${folder}`, folder]),
);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.tsx?$/.test(path) && statSync(path).isFile());
}

function importsOf(source: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s+|\bimport\s*\(\s*|\brequire\s*\(\s*)['"]([^'"]+)['"]/g;
  return Array.from(source.matchAll(pattern), (match) => match[1] ?? '');
}

/** Why `specifier` may not be imported by a file of `folder`; undefined when it may. */
function breach(
  folder: string,
  path: string,
  specifier: string,
  allowed: ReadonlySet<string>,
): string | undefined {
  if (specifier.startsWith('.')) {
    const target = relative(join(root, 'packages', folder), join(dirname(path), specifier));
    return target.startsWith(`..${sep}`) ? 'leaves its package by a relative path' : undefined;
  }
  if (specifier.startsWith('node:')) return undefined;
  if (builtinModules.includes(specifier)) return 'imports a Node module without node:';
  const name = specifier.startsWith('@')
    ? specifier.split('/').slice(0, 2).join('/')
    : (specifier.split('/')[0] ?? '');
  const other = PACKAGE_NAMES[name];
  if (other === folder) return 'imports its own package by name';
  if (other !== undefined && !MAY_IMPORT[folder]?.includes(other)) return `may not import ${name}`;
  return allowed.has(name) ? undefined : `imports ${name}, which its package.json does not name`;
}

function sourcesWith(pattern: RegExp): string[] {
  return readdirSync(join(root, 'packages')).flatMap((folder) =>
    sourceFiles(join(root, 'packages', folder, 'src')).filter((path) =>
      pattern.test(readFileSync(path, 'utf8')),
    ),
  );
}

describe('boundaries', () => {
  it('[RE1] every package is on the list of what may import what', () => {
    expect(readdirSync(join(root, 'packages')).toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
  });

  it.each(Object.keys(MAY_IMPORT))('[RE2] %s imports only what it may', (folder) => {
    const manifest: Record<'dependencies' | 'devDependencies' | 'imports', object | undefined> = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    );
    // What tests share needs what tests need; nothing of it is shipped.
    const forTests = folder === 'testing' ? manifest.devDependencies : {};
    const allowed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.imports, ...forTests }));
    const breaches = sourceFiles(join(root, 'packages', folder, 'src')).flatMap((path) =>
      importsOf(readFileSync(path, 'utf8')).flatMap((specifier) => {
        const reason = breach(folder, path, specifier, allowed);
        return reason === undefined ? [] : [`${relative(root, path)}: '${specifier}' ${reason}`];
      }),
    );
    expect(breaches).toEqual([]);
  });

  it('[RE2] the check itself sees what is forbidden', () => {
    const path = join(root, 'packages/hub/src/index.ts');
    const none = new Set<string>();
    expect(breach('hub', path, '@signalbox/agent', none)).toContain('may not import');
    expect(breach('hub', path, '../../agent/src/index.ts', none)).toContain('relative path');
    expect(breach('hub', path, 'left-pad', none)).toContain('does not name');
    expect(breach('hub', path, 'fs', none)).toContain('without node:');
    expect(breach('protocol', path, '@signalbox/transport', none)).toContain('may not import');
    expect(
      importsOf("import x from 'a';\nimport 'b';\nawait import('c');\nexport { y } from \"d\";"),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  it('[RE1871] tests take from other packages’ tests only what is in the testing package', () => {
    const packages = Object.keys(MAY_IMPORT).map((folder) => join('packages', folder));
    const strays = [...packages.map((folder) => join(folder, 'test')), 'bench', 'conformance', 'test']
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) => sourceFiles(join(root, folder)))
      .flatMap((path) => {
        const own = relative(root, path).split(sep).slice(0, 2).join(sep);
        return importsOf(readFileSync(path, 'utf8'))
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => relative(root, join(dirname(path), specifier)))
          .filter((target) =>
            packages.some((other) => other !== own && target.startsWith(join(other, 'test', sep))),
          )
          .map((target) => `${relative(root, path)} imports ${target}`);
      });
    expect(strays).toEqual([]);
  });

  it('[RE512] nothing asks URL.canParse, which Node 20 answers wrongly', () => {
    let isRight = true;
    for (let n = 0; n < 20_000; n += 1) isRight &&= isUrl('http://b\u00e4nk.example');
    expect(isRight).toBe(true);
    expect(sourcesWith(/canParse\(/)).toEqual([]);
  });

  it('[RE670] nothing sets a limit with AbortSignal.timeout, which Node 20 may forget', () => {
    expect(sourcesWith(/AbortSignal\.timeout\(/)).toEqual([]);
  });

  it('[RE2961] the console keeps what it keeps for a sign-in by own-storage.ts; of anything else a page that is loaded forgets', () => {
    const keeping = sourcesWith(/\blocalStorage\.(?:set|get)Item\((?!BROWSER_BEARER)/)
      .map((path) => relative(root, path))
      .filter((path) => path.startsWith('packages/console/'));
    expect(keeping.toSorted()).toEqual([
      'packages/console/src/kept/own-storage.ts',
      // The language is the browser's, whoever is signed in.
      'packages/console/src/words/language.ts',
      'packages/console/src/worker/offline-page.ts',
    ]);
  });

  it('[RE2150] no test gives its event less time than all have', () => {
    const own =
      /\b(?:it|describe)\b.*\{ timeout: [12]?\d{1,2}_000 \}|^\s*\}, [12]?\d{1,2}_000\);$|^\s+timeout: [12]?\d{1,2}_000,$/mu;
    const files = ['packages', 'test'].flatMap((folder) => sourceFiles(join(root, folder)));
    const hurried = files.filter((path) => path.endsWith('.test.ts') && own.test(readFileSync(path, 'utf8')));
    expect(hurried.map((path) => relative(root, path))).toEqual([]);
  });

  it.each([
    ['[RE511]', 'agent', AGENT_FOLDERS],
    ['[RE840]', 'hub', HUB_FOLDERS],
  ] as const)(
    '%s the folders of the %s are in an order, and each imports only what it may',
    (_, name, may) => {
      const source = join(root, 'packages', name, 'src');
      const order = Object.keys(may);
      for (const [at, folder] of order.entries())
        expect(may[folder]?.filter((other) => order.indexOf(other) >= at)).toEqual([]);
      // A folder inside of another that is on the list has what it may import to itself.
      const folderOf = (path: string): string | undefined => {
        const [folder, inner, ...rest] = relative(source, path).split(sep);
        if (inner === undefined) return undefined;
        return rest.length > 0 && order.includes(`${folder}/${inner}`) ? `${folder}/${inner}` : folder;
      };
      const folders = new Set(sourceFiles(source).flatMap((path) => folderOf(path) ?? []));
      expect([...folders].toSorted()).toEqual(order.toSorted());
      const used = new Map(order.map((folder) => [folder, new Set<string>()]));
      const breaches = sourceFiles(source).flatMap((path) => {
        const folder = folderOf(path);
        if (folder === undefined) return [];
        return importsOf(readFileSync(path, 'utf8')).flatMap((specifier) => {
          if (!specifier.startsWith('.')) return [];
          const other = folderOf(join(dirname(path), specifier)) ?? 'the root';
          if (other === folder) return [];
          used.get(folder)?.add(other);
          return may[folder]?.includes(other) ? [] : [`${relative(root, path)} imports of ${other}`];
        });
      });
      expect(breaches).toEqual([]);
      // What is no longer needed is no longer allowed.
      for (const [folder, others] of used)
        expect([folder, ...others].toSorted()).toEqual([folder, ...(may[folder] ?? [])].toSorted());
    },
  );

  it('[RE841] nothing but the services of the hub, and the check of a route’s scope, permits anything', () => {
    const elsewhere = sourcesWith(/\bpermit(DialIn)?\(/)
      .map((path) => relative(root, path))
      .filter((path) => !path.startsWith('packages/hub/src/service/'));
    expect(elsewhere).toEqual(['packages/hub/src/doors/rest/serve-endpoints.ts']);
  });

  it.each(BROWSER_ENTRIES)('[RE3] %s bundles for a browser without a Node module', async (entry) => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
      format: 'esm',
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.length).toBeGreaterThan(1);
    expect(inputs.filter((path) => path.startsWith('node:') || path.includes('(disabled)'))).toEqual([]);
  });

  it('[RE1050] what a page takes of a hub has the types of its routes, and no schemas', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['packages/sdk/src/hub/index.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
      format: 'esm',
      logLevel: 'silent',
    });
    const [output] = Object.values(metafile.outputs);
    const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    expect(used.map(([path]) => path).filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  it('[RE1874] a hub loads the screen of terminals for none', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['packages/hub/src/index.ts', 'packages/hub/src/terminal-host/index.ts'],
      bundle: true,
      splitting: true,
      write: false,
      metafile: true,
      outdir: 'dist',
      platform: 'node',
      format: 'esm',
      external: ['libsql', '@lydell/node-pty'],
      logLevel: 'silent',
    });
    const loaded = new Set(
      Object.keys(metafile.outputs).filter((path) =>
        metafile.outputs[path]?.entryPoint?.endsWith('/index.ts'),
      ),
    );
    // A set that grows is walked to its end.
    for (const path of loaded)
      for (const { kind, path: other } of metafile.outputs[path]?.imports ?? [])
        if (kind === 'import-statement') loaded.add(other);
    const files = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
    expect(files).toContain('packages/hub/src/hub.ts');
    expect(files.filter((path) => path.includes('xterm'))).toEqual([]);
  });

  it('[RE3] a Node module in a browser entry fails the bundle', async () => {
    const bundle = build({
      stdin: {
        contents: "import { readFileSync } from 'node:fs'; console.log(readFileSync);",
        resolveDir: root,
      },
      bundle: true,
      write: false,
      platform: 'browser',
      logLevel: 'silent',
    });
    await expect(bundle).rejects.toThrow('node:fs');
  });
});
