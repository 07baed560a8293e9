// @ts-check
// `npm run demo`: everything a fresh clone needs, then a short session in this terminal.
import { build } from './build.js';
import { run, setUp } from './setup.js';

setUp();
await build();
run(process.execPath, ['dist/signalbox.js', 'demo', ...process.argv.slice(2)]);
