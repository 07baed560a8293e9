import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { PACKAGE_FOLDER } from '../../../scripts/build-sdk.js';

/** As it is published: a host under test should not wait for a compiler. */
const PACKAGE = pathToFileURL(join(PACKAGE_FOLDER, 'index.js')).href;

/** This package as one file, to be put where no other package is. */
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
  const host = join(folder, 'host.mjs');
  await writeFile(host, `import { query } from ${JSON.stringify(PACKAGE)};\n${program}`);
  return spawn(process.execPath, [host], {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
