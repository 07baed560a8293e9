import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** More is piped in than a prompt may have. */
export class PipedTextError extends SignalboxError {
  constructor() {
    super(
      'STDIN_TOO_LONG',
      `What is piped in is longer than a prompt may be (${LIMITS.promptBytes.most} bytes). Put it into a file, and name that in the prompt.`,
    );
  }
}

/** After so long somebody is told what is waited for: a pipe may be open that nobody writes to. */
const PATIENCE_MS = 3000;

/** What is piped into this program; empty where a person sits. Raises `STDIN_TOO_LONG`. */
export async function pipedText(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const waiting = setTimeout(() => {
    process.stderr.write('signalbox run: reading the prompt from stdin …\n');
  }, PATIENCE_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    clearTimeout(waiting);
    const read = Buffer.from(chunk);
    bytes += read.length;
    if (bytes > LIMITS.promptBytes.most) throw new PipedTextError();
    chunks.push(read);
  }
  clearTimeout(waiting);
  return Buffer.concat(chunks).toString('utf8');
}
