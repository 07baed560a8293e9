import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '@signalbox/transport/read-plain-file';

/** The id of the node that keeps its files in this home: made once, and the same after every restart. */
export function nodeId(home: string): string {
  const file = join(home, 'node-id');
  try {
    const known = readPlainFile(file).trim();
    if (known !== '') return known;
  } catch {
    // The first start with a database of several nodes.
  }
  const made = randomUUID();
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}
