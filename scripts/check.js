// @ts-check
// `npm run check`: the one gate. `--static` leaves the tests out.
import { run, setUp, tool } from './setup.js';

setUp();
run(tool('biome'), ['check', '--error-on-warnings', '.']);
run(tool('oxlint'), ['--type-aware', '--deny-warnings']);
run(tool('tsc'), ['-p', 'tsconfig.json']);
run(tool('tsc'), ['-p', 'tsconfig.browser.json']);
if (!process.argv.includes('--static')) run(tool('vitest'), ['run']);
