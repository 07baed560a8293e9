import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { suggestRules } from '../../src/index.ts';
import { readShellLine } from '../../src/permission/shell/shell-line.ts';
import { fixtureLines } from './fixture-lines.ts';
import { bash, CONTEXT, judgeLine, ruleSets } from './rule-sets.ts';
import { mutateLine, randomLine } from './shell-generator.ts';

const RULES = ruleSets({
  deny: ['Bash(rm:*)', 'Bash(a* b* c* d*)'],
  ask: ['Bash(git push:*)'],
  allow: ['Bash(echo:*)', 'Bash(git * main)', 'Bash(* --version)'],
});

describe('no line of shell', () => {
  it('[PR31] makes the judgement throw, however it is damaged', () => {
    const random = new SeededRandom(31);
    const seeds = ['covered', 'uncovered', 'denied', 'doubtful', 'passed'].flatMap(fixtureLines);
    for (let round = 0; round < 6_000; round++) {
      let line = round % 2 === 0 ? random.pick(seeds) : randomLine(random);
      for (let more = 1 + random.below(3); more > 0; more--) line = mutateLine(line, random);
      expect(['deny', 'ask', 'allow', 'none']).toContain(judgeLine(line, RULES).behavior);
      suggestRules(bash(line), CONTEXT);
    }
  });

  it.each(fixtureLines('endless'))('[PR32] takes long to judge: %j without end', (piece) => {
    for (const length of [9_999, 1_000_000]) {
      judgeLine(piece.repeat(length / piece.length), RULES);
      judgeLine(`${piece.repeat(length / 2 / piece.length)}rm${'"\'`)}]'.repeat(length / 12)}`, RULES);
    }
  });

  it.each(fixtureLines('nests'))('[PR33] hides a command in any depth of %s', (nest) => {
    const [open = '', close = ''] = nest.split('…');
    const rules = ruleSets({ deny: ['Bash(rm:*)'], allow: ['Bash'] });
    for (const depth of [1, 2, 20, 255, 256, 257, 1_000]) {
      const line = `${open.repeat(depth)}$(rm x)${close.repeat(depth)}`;
      expect(judgeLine(line, rules).behavior, `depth ${depth}`).not.toBe('allow');
      expect(judgeLine(`echo ${line}`, ruleSets({ allow: ['Bash(echo:*)'] })).behavior).toBe('none');
      const { unreadable, commands } = readShellLine(line, '/');
      expect(
        unreadable !== undefined || commands.some(({ words }) => words[0] === 'rm'),
        `depth ${depth}`,
      ).toBe(true);
    }
  });
});
