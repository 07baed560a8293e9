// @ts-check
// `npm run bench [name …]`: the ratios of docs/BENCHMARKS.md, measured here and now.
import { build } from './build.js';
import { run, setUp } from './setup.js';

setUp();
await build();
run(process.execPath, ['--expose-gc', '--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)]);
