// Writes seeded text to its terminal, each piece to a file first: what the file has is what the shell wrote, or was about to.
import { appendFileSync, existsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '@signalbox/testing/seeded-random';

const PIECES = [
  'x',
  'ä',
  '二',
  '🙂',
  '\x1b[1;31m',
  '\x1b[0m',
  '\r\n',
  '\t',
  '\b',
  '\u{301}',
  '\x1b]0;title\x07',
  ' ',
];
const LONGEST = 400;

const [folder = '.', seed = '1', pieces = '1000'] = process.argv.slice(2);
const random = new SeededRandom(Number(seed));
writeFileSync(join(folder, 'said'), '');
for (let at = 0; at < Number(pieces); at += 1) {
  const words = Array.from({ length: 1 + random.below(LONGEST) }, () => random.pick(PIECES));
  const bytes = Buffer.from(`${at}:${words.join('')}`);
  appendFileSync(join(folder, 'said'), bytes);
  // A terminal may take less than it is given.
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent);
  await pause(random.below(3));
}
writeFileSync(join(folder, 'all'), '');
while (!existsSync(join(folder, 'leave'))) await pause(50);
