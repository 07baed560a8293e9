import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// Runs an agent, and writes down all that it hears and says before it is passed on.

const [folder = '', program = '', ...words] = process.argv.slice(2);
const file = join(folder, `${process.hrtime.bigint().toString().padStart(20, '0')}.ndjson`);
const note = (what: object): void => appendFileSync(file, `${JSON.stringify(what)}\n`);

note({ pid: process.pid });
const agent = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
agent.stdin.on('error', () => {});
createInterface({ input: process.stdin })
  .on('line', (heard) => {
    note({ heard });
    agent.stdin.write(`${heard}\n`);
  })
  .on('close', () => agent.stdin.end());
createInterface({ input: agent.stdout }).on('line', (said) => {
  note({ said });
  process.stdout.write(`${said}\n`);
});
const [code] = await once(agent, 'close');
process.exitCode = code ?? 1;
process.stdin.destroy();
