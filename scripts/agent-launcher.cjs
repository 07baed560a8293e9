#!/usr/bin/env node
// @ts-check
// Becomes dist/signalbox-agent.js. Runs the agent's chunks from what V8 made of them when they were built: compiling is
// a third of a start. Where that is missing, or another Node's, they are compiled as usual.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/** @type {Map<string, { file: string, script: Script, exports: unknown }>} */
const chunks = new Map();

/** What a chunk gets for `require`: other chunks by their path, the rest from Node. */
function load(/** @type {string} */ specifier) {
  if (!specifier.startsWith('./')) return require(specifier);
  const known = chunks.get(specifier);
  if (known) return known.exports;
  const file = `${__dirname}/chunks/${specifier.slice(2)}`;
  const script = new Script(
    `(function (module, exports, require, importFile) {${readFileSync(file, 'utf8')}\n})`,
    {
      filename: file,
      cachedData: compiled(`${file}.${process.version}`),
    },
  );
  const chunk = { file, script, exports: {} };
  chunks.set(specifier, chunk);
  script.runInThisContext()(chunk, chunk.exports, load, importFile);
  return chunk.exports;
}

function compiled(/** @type {string} */ file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Modules beside this file: a script that was compiled ahead of time cannot import by itself. */
function importFile(/** @type {string} */ specifier) {
  return import(specifier);
}

const start = () => load('./ENTRY_CHUNK');
if (require.main === module) start();
else module.exports = { start, chunks };
