import { outlivesReader, runCommandLine } from './command-line.ts';

const words = process.argv.slice(2);

// `signalbox … 2>&1 | head`: a reader that has seen enough is no failure.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!outlivesReader(words)) process.exit(0);
  });

// As Node has it: when nothing is left to wait for, and the command has not ended, that is a failure.
process.exitCode = 13;
void runCommandLine(words).then((code) => {
  process.exitCode = code;
});
