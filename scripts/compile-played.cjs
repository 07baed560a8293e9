// @ts-check
// node compile-played.cjs <launcher>: plays a session without a model and keeps what V8 compiled for it, so that a start of the agent
// need not compile it again, nor hold what it does not need. V8 itself refuses it in another version of Node.
'use strict';
const { renameSync, writeFileSync } = require('node:fs');

const [, , launcher = ''] = process.argv;
const { start, scripts } = require(launcher);
process.argv = [process.execPath, launcher, '-p', '--verbose', '--no-session-persistence', 'hello'];
process.argv.push('--output-format', 'stream-json');
process.on('exit', () => {
  for (const [file, script] of scripts) {
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, `${file}.${process.version}`);
  }
});
start();
