// @ts-check
// `npm start`: everything a fresh clone needs, then the demo.
import { build } from './build.js';
import { run, setUp } from './setup.js';

setUp();
await build();
run(process.execPath, ['dist/signalbox.js', 'demo', ...process.argv.slice(2)]);
