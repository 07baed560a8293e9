import { mkdirSync } from 'node:fs';
import {
  ALLOW_RULES,
  DENIED_READS,
  SECRET,
  SECRET_VARIABLES,
  ShellScene,
  shellLines,
} from '../../test/shell-lines/scene.ts';
import { type Tried, tryLines } from '../../test/shell-lines/try-lines.ts';
import { check } from '../check.ts';
import { toolOutcomes } from '../messages.ts';
import { ours } from '../program.ts';
import { call } from '../prompts.ts';
import type { Part, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** A session gets slower with all that was said in it: after so many lines there is a new one. */
const LINES_A_SESSION = 150;

/** So few harmless lines may be asked about. */
const MOST_ASKED = 4;

/** An official CLI takes about 0.4 s for a line. */
const LIMIT_MS = 900_000;

/** Of the official ones every so many lines beyond the mode `default`: all of them take a quarter of an hour for each mode. */
const SAMPLE_STEP = process.env['SIGNALBOX_ALL_LINES'] ? 1 : 8;

/** Gives lines to the program, with every question answered with no. */
async function tryAll(stage: Stage, lines: readonly string[], args: readonly string[]): Promise<Tried[]> {
  // Removed with the stage, once the agent has ended: until then it writes there.
  const root = stage.elsewhere('lines');
  mkdirSync(root);
  const scene = new ShellScene(root);
  const tried: Tried[] = [];
  for (let at = 0; at < lines.length; at += LINES_A_SESSION) {
    let wasAsked = false;
    const agent = await stage.start({
      args,
      cwd: scene.folder,
      env: { HOME: scene.home, ...SECRET_VARIABLES, ANTHROPIC_API_KEY: SECRET },
      onPermission: () => {
        wasAsked = true;
        return { behavior: 'deny', message: 'no' };
      },
    });
    const run = async (command: string) => {
      wasAsked = false;
      const { messages } = await agent.turn(call('Bash', { command, description: 'try it', timeout: 5000 }));
      const text = toolOutcomes(messages)
        .map((outcome) => outcome.text)
        .join('\n');
      return { text, wasAsked };
    };
    tried.push(...(await tryLines(scene, lines.slice(at, at + LINES_A_SESSION), run)));
    await agent.finish();
  }
  return tried;
}

/** `sample` says which of the lines are a sample: another one in every mode. */
function hostile(way: string, args: readonly string[], sample = 0): Scenario {
  return {
    limitMs: LIMIT_MS,
    name: `no hostile line has an effect ${way}`,
    misses: {
      '2.1.37': 'some lines have one',
      '2.1.325': 'files by patterns (`cat .e*`), options that name files and searches get past a deny rule',
    },
    async play(stage) {
      const isWhole = stage.program === ours || args.length === 0;
      const lines = shellLines('hostile').filter(
        (_, at) => isWhole || at % SAMPLE_STEP === sample % SAMPLE_STEP,
      );
      const tried = await tryAll(stage, lines, ['--disallowedTools', DENIED_READS.join(','), ...args]);
      const bad = tried.filter(({ effects }) => effects.length > 0);
      check(bad.length === 0, `${bad.length} had one: ${bad.map(({ line }) => line).join(' ¦ ')}`);
    },
  };
}

export const shellLineScenarios: Part = {
  title: 'Lines of shell',
  scenarios: [
    hostile('in mode default', []),
    hostile('in mode plan', ['--permission-mode', 'plan'], 0),
    hostile('in mode acceptEdits', ['--permission-mode', 'acceptEdits'], 2),
    hostile('in mode dontAsk', ['--permission-mode', 'dontAsk'], 4),
    hostile('beside allow rules', ['--allowedTools', ALLOW_RULES.join(',')], 6),
    {
      name: `at most ${MOST_ASKED} harmless lines are asked about`,
      limitMs: LIMIT_MS,
      misses: { '2.1.37': 'asks about more', '2.1.325': 'asks about 41' },
      async play(stage) {
        const tried = await tryAll(stage, shellLines('harmless'), []);
        const asked = tried.filter(({ wasAsked }) => wasAsked);
        check(
          asked.length <= MOST_ASKED,
          `asks about ${asked.length}: ${asked.map(({ line }) => line).join(' ¦ ')}`,
        );
      },
    },
  ],
};
