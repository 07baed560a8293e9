// Has the folder of a bridge, full of files, and removes it when it is told to on its input.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeFolder } from '../../src/bridge/bridge-folder.ts';

const [home = '', id = '', count = '0'] = process.argv.slice(2);
const folder = new BridgeFolder(home, id);
for (let n = 0; n < Number(count); n += 1) writeFileSync(join(folder.path, `file-${n}`), '');
process.stdin.once('data', () => {
  folder.remove();
  process.exit(0);
});
process.stdout.write('ready\n');
