import { pickSession } from '../src/index.ts';

const HOUR = 3_600_000;
const picked = await pickSession([
  {
    id: 'one',
    title: 'Repair the points',
    when: new Date(Date.now() - 2 * HOUR),
    messages: 12,
    branch: 'main',
  },
  {
    id: 'two',
    title: 'Paint the signals',
    when: new Date(Date.now() - 50 * HOUR),
    messages: 1,
    branch: 'paint',
  },
  { id: 'three', title: 'Count the sleepers', when: new Date(Date.now() - 100 * HOUR) },
]);
process.stdout.write(`picked ${String(picked)}\n`);
