// @ts-check
// `npm run example hello`: builds what is needed and runs examples/hello.ts.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.js';
import { fail, root, run, setUp, tool } from './setup.js';

setUp();
const [name = '', ...args] = process.argv.slice(2);
const file = join(root, 'examples', `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(join(root, 'examples')).map((path) => path.replace(/\.ts$/, ''));
  fail(`There is no example "${name}". There are: ${names.filter((known) => known !== 'stage').join(', ')}.`);
}
await build();
run(tool('tsx'), [file, ...args]);
