// @ts-check
// `npm run conformance [words …] [--only program] [--newest] [--write]`: the same scenarios on the official CLIs and on ours.
import { build } from './build.js';
import { run, setUp } from './setup.js';

setUp();
await build();
run(process.execPath, ['--import', 'tsx', 'conformance/run.ts', ...process.argv.slice(2)]);
