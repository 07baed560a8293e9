import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mismatch } from '../check.ts';
import { OUR_AGENT, type Program } from '../program.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { type Difference, differencesOf } from './difference.ts';
import { type InstalledProgram, installed, type PublicProgram } from './public-program.ts';
import { MODEL, script } from './script.ts';

const OUR_SDK = fileURLToPath(new URL('our-sdk.mjs', import.meta.url));
/** The programs themselves take seconds to start, and a story starts them more than once, with two agents. */
const STORY_LIMIT_MS = 300_000;

/** A program with an agent on a stage. */
export interface Scene {
  readonly stage: Stage;
  readonly program: InstalledProgram;
  /** The executable to use as `claude`. */
  readonly agent: string;
  readonly env: Record<string, string>;
}

/** What a person does with a program, and what they see of it. */
export interface Story {
  readonly program: PublicProgram;
  /** What the person does. */
  readonly name: string;
  /** It imports the official SDK: the story is told once more with ours in its place. */
  readonly usesSdk?: boolean;
  /** Where the account may differ from the one with `claude` (a pattern for paths), and why a person accepts that. */
  readonly differences?: Readonly<Record<string, string>>;
  /** Gives what the person saw; throws if the story came to nothing. */
  play(scene: Scene): Promise<unknown>;
}

/** The scenarios of stories: each is told with the real `claude`, and ours must tell the same. */
export function storyScenarios(stories: readonly Story[], reference: Program): Scenario[] {
  return stories.flatMap((story) => {
    const name = `${shortName(story.program)}: ${story.name}`;
    let told: Promise<unknown> | undefined;
    const wanted = (): Promise<unknown> => (told ??= tell(story, reference, 'official'));
    const scenario = {
      name,
      programs: ['ours', '2.1.325'] as const,
      limitMs: STORY_LIMIT_MS,
      prepare: () => installed(story.program),
    };
    const withOfficial: Scenario = {
      ...scenario,
      async play({ program }) {
        if (program.id !== 'ours') await wanted();
        else compare(story, await tell(story, program, 'official'), await wanted());
      },
    };
    if (!story.usesSdk) return [withOfficial];
    const withOurs: Scenario = {
      ...scenario,
      name: `${name}, on our SDK`,
      async play({ program }) {
        compare(story, await tell(story, program, 'ours'), await wanted());
      },
    };
    return [withOfficial, withOurs];
  });
}

/** One telling, in a home and a folder of its own. */
export async function tell(story: Story, agent: Program, sdk: 'official' | 'ours'): Promise<unknown> {
  const program = await installed(story.program);
  const stage = await Stage.set(agent);
  try {
    await stage.script(script);
    const env = stage.env();
    env['ANTHROPIC_MODEL'] = MODEL;
    env['PATH'] = [program.nodeFolder, env['PATH']].join(delimiter);
    if (sdk === 'ours') env['NODE_OPTIONS'] = `--import=${OUR_SDK}`;
    const executable = agent.id === 'ours' ? OUR_AGENT : agent.command;
    const account = await story.play({ stage, program, agent: executable, env });
    const text = stage.anonymous(JSON.stringify(account)).replaceAll(projectKey(stage), 'project');
    return JSON.parse(withoutChance(text), rounded);
  } finally {
    await stage.clear();
  }
}

/** The name of the folder where agents keep the transcripts of the stage's folder. */
function projectKey({ folder }: Stage): string {
  return folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** Ids and moments are different every time; which ones are the same is not. */
function withoutChance(text: string): string {
  const names = new Map<string, string>();
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|toolu_\w+|msg_\w+/g, (id) => {
      const name = names.get(id) ?? `id-${names.size + 1}`;
      names.set(id, name);
      return name;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'moment');
}

/** Sums of money, added in another order. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(9)) : value;
}

function compare({ differences: accepted = {} }: Story, actual: unknown, wanted: unknown): void {
  const patterns = Object.keys(accepted).map((pattern) => new RegExp(`^(?:${pattern})$`));
  const found = differencesOf(wanted, actual);
  const unexplained = found.filter(({ path }) => !patterns.some((pattern) => pattern.test(path)));
  if (unexplained.length > 0) throw new Mismatch(unexplained.map(inWords).join('\n'));
}

function inWords({ path, wanted, actual }: Difference): string {
  return `${path}: ${JSON.stringify(actual)}, with claude ${JSON.stringify(wanted)}`;
}

/** What is accepted as different, a line for each reason. */
export function notesOn(stories: readonly Story[]): string[] {
  const programs = new Map<string, Set<string>>();
  for (const { program, differences = {} } of stories)
    for (const why of Object.values(differences))
      programs.set(why, (programs.get(why) ?? new Set()).add(shortName(program)));
  return [...programs].map(([why, names]) => `${[...names].join(', ')}: ${why}`);
}

export function shortName({ name, version }: PublicProgram): string {
  return `${name.slice(name.indexOf('/') + 1)} ${version}`;
}
