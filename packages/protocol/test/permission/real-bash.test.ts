import { posix } from 'node:path';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeCall } from '../../src/index.ts';
import { revealCommands } from '../../src/permission/shell/reveal.ts';
import { readShellLine, type ShellCommand } from '../../src/permission/shell/shell-line.ts';
import { surveyLine } from '../../src/permission/shell/survey-line.ts';
import { fixtureLines } from './fixture-lines.ts';
import { RealBash, type Run, SECRETS } from './real-bash.ts';
import { bash, CONTEXT, ruleSets } from './rule-sets.ts';
import { mutateLine, randomLine, randomReading } from './shell-generator.ts';

const LINES = 2_000;
const BATCH = 250;
const TIME_LIMIT_MS = 180_000;

const realBash = new RealBash();
afterAll(() => realBash.close());

const context = { ...CONTEXT, home: realBash.home };
const random = new SeededRandom(20);
const randomLines = Array.from({ length: LINES }, (_, at) => {
  const line = randomLine(random);
  return (at % 3 === 0 ? mutateLine(line, random) : line).replaceAll('\0', '');
});
const lines = [...fixtureLines('tricky'), ...randomLines];

const READINGS = 500;
const readings = Array.from({ length: READINGS }, () => randomReading(random));

/** Every line is run once; each promise looks at what it did. */
const runs = runAll(lines);
const readingRuns = runs.then(() => runAll(readings));

async function runAll(all: readonly string[]): Promise<readonly Run[]> {
  const done: Run[] = [];
  for (let at = 0; at < all.length; at += BATCH)
    done.push(...(await realBash.run(all.slice(at, at + BATCH))));
  return done;
}

/** Whether the shell could have run these words as that command. */
function explains(command: ShellCommand, ran: readonly string[]): boolean {
  const unknownAt = command.words.indexOf(undefined);
  const known = unknownAt === -1 ? command.words : command.words.slice(0, unknownAt);
  return known.every((word, at) => word === ran[at]) && (unknownAt >= 0 || known.length === ran.length);
}

/** The same for a command that was found behind another one, which may add arguments and name it by its path. */
function mayExplain({ words: [program, ...args] }: ShellCommand, ran: readonly string[]): boolean {
  if (program === undefined) return true;
  return program.endsWith(ran[0] ?? '') && args.every((arg, at) => arg === undefined || arg === ran[at + 1]);
}

/** Whether a line is said to only read, from its own folder, and to use no variable that may be a secret. */
function looksAtItsOwnFolder(line: string): boolean {
  const { refusal, reads, variables } = surveyLine(readShellLine(line, context.home));
  if (refusal !== undefined || variables.length > 0) return false;
  return reads.every(({ path, from }) =>
    from.every((folder) => {
      const place = posix.join('/folder', folder, path);
      return (
        !posix.isAbsolute(path) && !posix.isAbsolute(folder) && posix.join(place, '/').startsWith('/folder/')
      );
    }),
  );
}

describe('what the real bash runs', () => {
  it(
    '[PR28] is found in the line, word for word, unless the line is called unreadable or unknown',
    async () => {
      let readable = 0;
      for (const [at, { commands }] of (await runs).entries()) {
        const line = readShellLine(lines[at] ?? '', context.home);
        if (line.unreadable !== undefined) continue;
        const revealed = revealCommands(line, context.home);
        for (const ran of commands) {
          readable++;
          const found = line.commands.some((command) => explains(command, ran));
          expect(
            found || revealed.some((command) => mayExplain(command, ran)),
            `${ran.join(' ')} of ${lines[at]}`,
          ).toBe(true);
        }
      }
      expect(readable).toBeGreaterThan(LINES / 2);
    },
    TIME_LIMIT_MS,
  );

  it.each(['alpha', 'beta', 'gamma'])(
    '[PR29] is never %s, another program or a write when the rules that allow the line do not say so',
    async (forbidden) => {
      const harmless = [
        'alpha',
        'beta',
        'gamma',
        'nope',
        'echo',
        'cat',
        'printf',
        '[',
        ':',
        'f',
        'break',
        'true',
      ];
      const allowed = harmless.filter((name) => name !== forbidden).map((name) => `Bash(${name}:*)`);
      let judged = 0;
      for (const [at, run] of (await runs).entries()) {
        if (judgeCall(bash(lines[at] ?? ''), ruleSets({ allow: allowed }), context).behavior !== 'allow')
          continue;
        judged++;
        const surprise =
          run.hijacked || run.files.length > 0 || run.commands.some(([name]) => name === forbidden);
        expect(surprise, lines[at]).toBe(false);
      }
      expect(judged).toBeGreaterThan(20);
    },
    TIME_LIMIT_MS,
  );

  it.each(['alpha', 'beta', 'gamma'])(
    '[PR30] is never %s when a rule denies it, however it is wrapped',
    async (forbidden) => {
      const rules = ruleSets({ deny: [`Bash(${forbidden}:*)`], allow: ['Bash'] });
      let denied = 0;
      for (const [at, run] of (await runs).entries()) {
        const { behavior } = judgeCall(bash(lines[at] ?? ''), rules, context);
        if (behavior === 'deny') denied++;
        if (behavior === 'allow')
          expect(
            run.commands.map(([name]) => name),
            lines[at],
          ).not.toContain(forbidden);
      }
      expect(denied).toBeGreaterThan(200);
    },
    TIME_LIMIT_MS,
  );

  it(
    '[PR600] shows no file and no variable beside those that the line is said to look at, and changes nothing',
    async () => {
      const told = { secrets: 0, unasked: 0 };
      const all = [...lines, ...readings];
      for (const [at, run] of [...(await runs), ...(await readingRuns)].entries()) {
        const shown = [run.output, ...run.commands.flat()].join('\0');
        const hasSecret = SECRETS.some((secret) => shown.includes(secret));
        if (hasSecret) told.secrets++;
        if (!looksAtItsOwnFolder(all[at] ?? '')) continue;
        told.unasked++;
        expect(hasSecret || run.hijacked || run.files.length > 0, all[at]).toBe(false);
      }
      // Or the lines would prove nothing.
      expect(told.secrets).toBeGreaterThan(READINGS / 10);
      expect(told.unasked).toBeGreaterThan(READINGS / 10);
    },
    TIME_LIMIT_MS,
  );
});
