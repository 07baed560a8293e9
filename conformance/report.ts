import type { Outcome } from './play.ts';
import type { Program } from './program.ts';
import type { Part } from './scenario.ts';

/** What came of one scenario, in the order of the programs. */
export interface Row {
  readonly part: string;
  readonly scenario: string;
  readonly outcomes: readonly Outcome[];
}

const SIGNS = { passed: '✓', missed: '–', failed: '✗', absent: ' ' } as const;
const REASON_CHARS = 400;

/** The table for a terminal. */
export function terminalTable(rows: readonly Row[], programs: readonly Program[]): string {
  const width = Math.max(...rows.map(({ scenario }) => scenario.length)) + 4;
  const lines: string[] = [`${' '.repeat(width)}${programs.map(({ label }) => label).join('  ')}`];
  let part = '';
  for (const row of rows) {
    if (row.part !== part) lines.push('', row.part);
    part = row.part;
    const signs = row.outcomes.map(({ verdict }, i) =>
      SIGNS[verdict].padEnd((programs[i]?.label.length ?? 0) + 2),
    );
    lines.push(`  ${row.scenario.padEnd(width - 2)}${signs.join('')}`.trimEnd());
  }
  return lines.join('\n');
}

/** The table for the documentation. */
export function markdownTable(
  rows: readonly Row[],
  programs: readonly Program[],
  parts: readonly Part[],
): string {
  const lines: string[] = [];
  let part = '';
  for (const [i, row] of rows.entries()) {
    if (row.part !== part) {
      lines.push(
        '',
        `### ${row.part}`,
        '',
        `| scenario | ${programs.map(({ label }) => label).join(' | ')} |`,
      );
      lines.push(`|---|${':-:|'.repeat(programs.length)}`);
    }
    part = row.part;
    const signs = row.outcomes.map(({ verdict }) => SIGNS[verdict]).join(' | ');
    lines.push(`| ${row.scenario.replaceAll('|', '\\|')} | ${signs} |`);
    const { notes = [] } = parts.find(({ title }) => title === part) ?? {};
    if (notes.length > 0 && rows[i + 1]?.part !== part) lines.push('', ...notes.map((note) => `- ${note}`));
  }
  return lines.join('\n').trim();
}

/** A line for everything that did not pass, with the reason. */
export function shortfalls(rows: readonly Row[], programs: readonly Program[]): string[] {
  return rows.flatMap(({ part, scenario, outcomes }) =>
    outcomes.flatMap((outcome, i) => {
      if (!('reason' in outcome)) return [];
      const reason = outcome.reason.slice(0, REASON_CHARS).trim();
      return `${SIGNS[outcome.verdict]} ${programs[i]?.label}, ${part}, ${scenario}: ${reason}`;
    }),
  );
}

/** How many scenarios a program passed and failed. */
export function countOf(rows: readonly Row[], programIndex: number): { passed: number; failed: number } {
  const verdicts = rows.map(({ outcomes }) => outcomes[programIndex]?.verdict);
  return {
    passed: verdicts.filter((verdict) => verdict === 'passed').length,
    failed: verdicts.filter((verdict) => verdict === 'failed' || verdict === 'missed').length,
  };
}
