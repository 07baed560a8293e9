// @ts-check
// Makes dist/signalbox.js and dist/signalbox-agent.js: one file each, ready to run.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from './setup.js';

/** Bundled CommonJS dependencies still call `require`, which a module does not have. */
const BANNER = `#!/usr/bin/env node
import { createRequire as signalboxCreateRequire } from 'node:module';
const require = signalboxCreateRequire(import.meta.url);`;

export async function build() {
  const { build: bundle } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await bundle({
    absWorkingDir: root,
    entryPoints: {
      signalbox: 'packages/cli/src/signalbox.ts',
      'signalbox-agent': 'packages/cli/src/signalbox-agent.ts',
    },
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: BANNER },
    define: { SIGNALBOX_VERSION: JSON.stringify(version) },
    // Optional speed-ups of ws that it does without.
    external: ['bufferutil', 'utf-8-validate'],
    // Names stay, for stack traces; the rest is what a start has to read.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'eof',
    logLevel: 'warning',
  });
  for (const name of ['signalbox', 'signalbox-agent']) chmodSync(join(root, 'dist', `${name}.js`), 0o755);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  setUp();
  await build();
}
