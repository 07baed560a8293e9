// @ts-check
// node compile-whole.cjs <file>…: keeps what V8 makes of scripts, with every function in them: any command may be the one that is given.
// V8 itself refuses it in another version of Node.
'use strict';
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const [, , ...files] = process.argv;
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  setFlagsFromString('--no-lazy');
  const script = new Script(source, { filename: file });
  // What is kept names the flags that were set when it was written: they have to be those of any start.
  setFlagsFromString('--lazy');
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, script.createCachedData());
  renameSync(draft, `${file}.${process.version}`);
}
