import { Transcript } from '../../src/session/transcript.ts';

/** Appends to a transcript until it is killed, and says what is safely on disk. */
const [file = ''] = process.argv.slice(2);
const log = new Transcript({
  file,
  sessionId: 's',
  cwd: '/',
  gitBranch: 'HEAD',
  onError: () => process.exit(3),
});
for (let n = 0; ; n += 1) {
  log.add({ type: 'user', n, message: { role: 'user', content: 'x'.repeat((n * 7919) % 200_000) } });
  await log.flush();
  process.stdout.write(`${n}\n`);
}
