// @ts-check
// `npm run check`: the one gate. `--static` leaves the tests out.
import { join } from 'node:path';
import { root, run, setUp, tool } from './setup.js';

setUp();
run(tool('biome'), ['check', '--error-on-warnings', '.']);
run(tool('oxlint'), ['--type-aware', '--deny-warnings']);
// By its path: typescript-api brings a command of the same name.
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
run(process.execPath, [tsc, '-p', 'tsconfig.json']);
run(process.execPath, [tsc, '-p', 'tsconfig.browser.json']);
run(process.execPath, [tsc, '-p', 'tsconfig.console.json']);
if (!process.argv.includes('--static')) run(tool('vitest'), ['run']);
