import { LIMITS } from '@signalbox/protocol';
import { CommandOptionsError } from '../command-options.ts';

/** All that is piped in. */
export async function stdinText(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const read = Buffer.from(chunk);
    bytes += read.length;
    if (bytes > 2 * LIMITS.profileBytes.most)
      throw new CommandOptionsError('profiles', 'What is piped in is longer than a profile may be.');
    chunks.push(read);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Ask at this terminal for something that is not shown while it is typed. Ctrl-C ends the program. */
export function hiddenAnswer(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // Before it asks: what is typed at once must not be seen either.
  stdin.setRawMode(true);
  stdin.resume();
  stdin.setEncoding('utf8');
  stderr.write(question);
  return new Promise((resolve) => {
    let typed = '';
    const done = (): void => {
      stdin.off('data', hear);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const hear = (text: string): void => {
      for (const sign of text) {
        if (sign === '\u0003') {
          done();
          process.exit(130);
        } else if (sign === '\r' || sign === '\n' || sign === '\u0004') {
          done();
          return resolve(typed);
        } else if (sign === '\u007f' || sign === '\b') typed = typed.slice(0, -1);
        else if (sign === '\u0015') typed = '';
        else if (sign >= ' ') typed += sign;
      }
    };
    stdin.on('data', hear);
  });
}
