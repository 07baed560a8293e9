// @ts-check
// `npm test`: everything a fresh clone needs, then the tests. Arguments go to vitest.
import { run, setUp, tool } from './setup.js';

setUp();
run(tool('vitest'), ['run', ...process.argv.slice(2)]);
