#!/usr/bin/env node
// @ts-check
// Becomes dist/signalbox.js and dist/signalbox-agent.js. Runs chunks from what V8 made of them when they were built: compiling is a third
// of a start, and Node's loader of modules another. Where that is missing, or another Node's, they are compiled as usual.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/** @typedef {{ exports: unknown, readonly url: string }} Chunk what chunks know as `module` */
/** @typedef {(module: Chunk, exports: unknown, require: typeof load) => void} Run */

/**
 * The files that were read, each with one chunk or with several that are needed together.
 * @type {Map<string, Script>}
 */
const scripts = new Map();

/**
 * What is in them.
 * @type {Record<string, Run>}
 */
const contents = {};

/** @type {Map<string, Chunk>} */
const loaded = new Map();

/**
 * What a chunk gets for `require`: other chunks by their path, the rest from Node.
 * @returns {unknown}
 */
function load(/** @type {string} */ specifier) {
  if (!specifier.startsWith('./')) return require(specifier);
  const known = loaded.get(specifier);
  if (known) return known.exports;
  const file = `${__dirname}/chunks/${specifier.slice(2)}`;
  if (!(specifier in contents)) read(file);
  const chunk = {
    exports: {},
    get url() {
      return require('node:url').pathToFileURL(file).href;
    },
  };
  loaded.set(specifier, chunk);
  contents[specifier]?.(chunk, chunk.exports, load);
  return chunk.exports;
}

function read(/** @type {string} */ file) {
  const script = new Script(readFileSync(file, 'utf8'), {
    filename: file,
    cachedData: compiled(`${file}.${process.version}`),
  });
  scripts.set(file, script);
  Object.assign(contents, script.runInThisContext());
}

function compiled(/** @type {string} */ file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const start = () => load('./ENTRY_CHUNK');
if (require.main === module) start();
else module.exports = { start, scripts };
