import { readCommand } from './command-options.ts';
import { checkAll } from './doctor/checks.ts';
import { printHelp } from './print-help.ts';
import { roomOf, wrapWords } from './wrap-words.ts';

const HELP = `Usage: signalbox doctor [--json]

Checks what Signalbox needs on this machine, and says how to fix what is missing.

  --json      print the findings as JSON
  -h, --help  this text

The exit code is 1 if something is broken.
`;

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

/** The column of what is said. */
const SAYS_AT = 19;

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const;

/** Run `signalbox doctor …`. */
export async function runDoctor(argv: readonly string[]): Promise<number> {
  const { values: options } = readCommand('doctor', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const findings = await checkAll(process.env);
  const room = roomOf(process.stdout) - SAYS_AT;
  const lines = findings.map(({ state, name, says, advice }) => {
    const line = `${MARKS[state]} ${name.padEnd(16)} ${wrapWords(says, room, SAYS_AT)}`;
    if (advice === undefined) return line;
    return `${line}\n${' '.repeat(SAYS_AT)}→ ${wrapWords(advice, room - 2, SAYS_AT + 2)}`;
  });
  process.stdout.write(
    options.json ? `${JSON.stringify(findings, undefined, 2)}\n` : `${lines.join('\n')}\n`,
  );
  return findings.some(({ state }) => state === 'fail') ? 1 : 0;
}
