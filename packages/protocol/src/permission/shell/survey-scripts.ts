import { onlyPrintsAwk } from './awk-program.ts';
import { readArguments, type Survey, single, surveyArguments } from './reading-options.ts';
import { onlyFiltersJq, onlyPrintsSed } from './reading-scripts.ts';
import type { WordValues } from './word-values.ts';

const JQ = {
  why: 'filters JSON; -f and -L read filters from files, env and $ENV show variables',
  options:
    '-nrcjaSsMCeR --raw-output --compact-output --null-input --slurp --raw-input --sort-keys --tab --indent= --exit-status --join-output --ascii-output --color-output --monochrome-output',
  operands: 'pattern',
} as const;
const AWK = {
  why: 'prints, as long as its program only prints',
  options: '-F= -v=',
  operands: 'pattern',
} as const;
const SED = {
  why: 'prints, as long as its script only prints; -i and -f change and read files, -l has a value for GNU alone',
  options:
    '-nErsuz -e= --quiet --silent --regexp-extended --null-data --separate --posix --unbuffered --sandbox --expression=',
  operands: 'pattern',
  patterns: '-e --expression',
} as const;

export function surveyJq(args: readonly WordValues[]): Survey {
  return surveyScripted(JQ, args, onlyFiltersJq);
}

export function surveyAwk(args: readonly WordValues[]): Survey {
  return surveyScripted(AWK, args, onlyPrintsAwk);
}

function surveyScripted(
  row: typeof JQ | typeof AWK,
  args: readonly WordValues[],
  isHarmless: (script: string) => boolean,
): Survey {
  const read = readArguments(row, args);
  if (typeof read === 'string') return { refusal: read };
  const script = single(read.operands[0]);
  if (script === undefined) {
    const isAsking = args.length === 1 && /^--(?:version|help)$/.test(single(args[0]) ?? '');
    return isAsking ? { reads: [] } : { refusal: 'has no known script' };
  }
  return isHarmless(script)
    ? surveyArguments(row, args)
    : { refusal: 'has a script that may do more than print' };
}

export function surveySed(args: readonly WordValues[]): Survey {
  const read = readArguments(SED, args);
  if (typeof read === 'string') return { refusal: read };
  const given = read.texts.map(([, value]) => single(value));
  const scripts = given.length > 0 ? given : read.operands.slice(0, 1).map(single);
  const areHarmless = scripts.every((script) => script !== undefined && onlyPrintsSed(script));
  return areHarmless ? surveyArguments(SED, args) : { refusal: 'has a script that may do more than print' };
}
