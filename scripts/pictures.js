// @ts-check
// `npm run pictures`: makes the pictures of docs/pictures anew, by the test that makes them (packages/console/test/pictures.test.ts).
import { build } from './build.js';
import { run, setUp, tool } from './setup.js';

setUp();
await build();
process.env.SIGNALBOX_PICTURES = '1';
run(tool('vitest'), ['run', 'packages/console/test/pictures.test.ts']);
