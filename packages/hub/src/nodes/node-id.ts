import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { nodeFolder } from '../bridge/peers.ts';

/** The name of the node that keeps its files in this home: made once, of the machine's name, and the same after every restart. */
export function nodeId(home: string): string {
  const file = join(nodeFolder(home), 'id');
  try {
    const known = readPlainFile(file).trim();
    if (known !== '') return known;
  } catch {
    // The first start on a database.
  }
  const made = `${hostname()}-${randomBytes(3).toString('hex')}`;
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}
