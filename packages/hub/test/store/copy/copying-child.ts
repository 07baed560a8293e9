// Copies a store from one place to another, and says on stdout after each step that there was one.
import { writeSync } from 'node:fs';
import { copyStoreTo } from '../../../src/store/copy/copy-on-thread.ts';

const [, , from = '', to = ''] = process.argv;

function placeOf(text: string): { file: string } | { database: string } {
  return text.includes('://') ? { database: text } : { file: text };
}

await copyStoreTo({ from: placeOf(from), to: placeOf(to) }, ({ step }) => writeSync(1, `${step}\n`));
writeSync(1, 'finished\n');
