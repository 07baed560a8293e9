import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** A script of this folder as one plain file, which starts ten times faster than through a loader. */
export function bundledScript(name: string): { readonly path: string } {
  const script = { path: '' };
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-'));
    script.path = join(folder, 'script.mjs');
    const source = fileURLToPath(new URL(name, import.meta.url));
    await build({
      entryPoints: [source],
      outfile: script.path,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });

  afterAll(() => rm(folder, { recursive: true }));
  return script;
}
