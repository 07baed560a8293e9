// @ts-check
// Becomes the programs of threads in dist/chunks: runs a script from what V8 made of it when it was built, as the launcher of commands does.
// A module could not be kept so, and to load one costs a thread more than its own work before the first call.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/** @typedef {{ readonly url: string }} Program what the script knows as `module` */
/** @typedef {(module: Program, require: NodeJS.Require) => void} Run */

const file = `${__dirname}/SCRIPT`;

function compiled() {
  try {
    return readFileSync(`${file}.${process.version}`);
  } catch {
    return undefined;
  }
}

/** @type {Run} */
const run = new Script(readFileSync(file, 'utf8'), {
  filename: file,
  cachedData: compiled(),
}).runInThisContext();
run(
  {
    get url() {
      return require('node:url').pathToFileURL(file).href;
    },
  },
  require,
);
