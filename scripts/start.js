// @ts-check
// `npm start`: everything a fresh clone needs, then the hub.
import { spawn } from 'node:child_process';
import { build } from './build.js';
import { root, setUp } from './setup.js';

setUp();
await build();
const hub = spawn(process.execPath, ['dist/signalbox.js', 'up', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
// A terminal tells both of Ctrl-C; what is sent to this process alone has to be passed on.
process.on('SIGINT', () => {});
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => hub.kill(signal));
hub.on('exit', (code) => process.exit(code ?? 1));
