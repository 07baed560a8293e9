import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** This package as one file, as it is published: a host under test should not wait for a compiler. */
export async function bundleSdk(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['@modelcontextprotocol/sdk', 'bufferutil', 'utf-8-validate'],
    banner: {
      js: `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`,
    },
    logLevel: 'silent',
  });
}

/** Run a program that uses the SDK: `query` is imported for it. */
export async function startHost(folder: string, program: string): Promise<ChildProcess> {
  await bundleSdk(join(folder, 'sdk.mjs'));
  const host = join(folder, 'host.mjs');
  await writeFile(host, `import { query } from './sdk.mjs';\n${program}`);
  return spawn(process.execPath, [host], {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
