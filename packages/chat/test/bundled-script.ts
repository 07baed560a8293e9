import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** Bundled CommonJS still calls `require`, which a module does not have. */
const BANNER = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/** A window for developers of Ink, which it would load at the start and opens only when asked to. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    bundle.onLoad({ filter: /^/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};

/** A script of this folder as one plain file, bundled as an executable is. */
export function bundledScript(name: string): { readonly path: string } {
  const script = { path: '' };
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-chat-'));
    script.path = join(folder, 'script.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
      outfile: script.path,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      banner: { js: BANNER },
      define: { 'process.env.NODE_ENV': '"production"' },
      plugins: [withoutDevtools],
      logLevel: 'error',
    });
  });

  afterAll(() => rm(folder, { recursive: true }));
  return script;
}
