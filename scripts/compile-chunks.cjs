// @ts-check
// node compile-chunks.cjs <launcher>: plays a session without a model and keeps what V8 compiled for it, so that a start
// need not compile it again. V8 itself refuses it in another version of Node.
'use strict';
const { renameSync, writeFileSync } = require('node:fs');

const [, , launcher = ''] = process.argv;
const { start, chunks } = require(launcher);
process.argv = [process.execPath, launcher, '-p', '--verbose', '--no-session-persistence', 'hello'];
process.argv.push('--output-format', 'stream-json');
process.on('exit', () => {
  for (const { file, script } of chunks.values()) {
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, `${file}.${process.version}`);
  }
});
start();
