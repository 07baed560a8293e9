import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import type { Evidence } from './evidence.ts';
import { type FaultyLink, LINK_FAULTS } from './faulty-link.ts';
import { gather, isQuiet } from './gathering.ts';
import { violationsIn } from './invariants.ts';
import { type Script, SendingPerson } from './sending-person.ts';
import type { Stage } from './stage.ts';

/** What is killed or broken, and how often in a hundred. */
const FAULTS = [
  ...Array<'hub'>(25).fill('hub'),
  ...Array<'bridge'>(12).fill('bridge'),
  ...Array<'viewer'>(20).fill('viewer'),
  ...Array<'agent-link'>(25).fill('agent-link'),
  ...Array<'viewer-link'>(18).fill('viewer-link'),
];

/** A point is reached after so many pieces of data on the chosen link, or after a while. */
const MAX_CHUNKS = 60;
const MAX_WAIT_MS = 500;

/** What a round of faults came to. */
export interface Outcome {
  violations: string[];
  /** How much of everything there was, and how often each fault was made. */
  totals: Record<string, number>;
}

/** Break things at `points` seeded points while agents work, let all come to rest, and compare everybody's notes. */
export async function playRound(
  stage: Stage,
  { seed, points, scripts }: { seed: number; points: number; scripts: Readonly<Record<string, Script>> },
): Promise<Outcome> {
  const random = new SeededRandom(seed);
  const people = new Map(
    stage.players.map(({ session }, index) => {
      const own = new SeededRandom(seed * 100 + index);
      return [session, new SendingPerson(stage.api, session, own, scripts[session] ?? (() => ''))];
    }),
  );
  const faults: Record<string, number> = {};
  for (let point = 0; point < points; point += 1) {
    const fault = await nextFault(stage, random);
    faults[fault] = (faults[fault] ?? 0) + 1;
  }
  for (const person of people.values()) person.fallSilent();
  for (const { link } of [...stage.players, ...stage.watchers]) link.mend();
  for (const { session } of stage.players) await until(() => isQuiet(stage, session));
  await Promise.all(Array.from(people.values(), (person) => person.leave()));
  await stage.dismissAgents();
  const evidence: Evidence[] = [];
  for (const player of stage.players) {
    const person = people.get(player.session);
    if (person) evidence.push(await gather(stage, player, person));
  }
  const sum = (count: (one: Evidence) => number): number =>
    evidence.reduce((total, one) => total + count(one), 0);
  const totals = {
    entries: sum(({ record }) => record.length),
    prompts: sum(({ admitted }) => new Set(admitted.map(({ id }) => id)).size),
    questions: sum(({ permissions }) => permissions.length),
    answers: sum(({ told }) => told.length),
    ...faults,
  };
  return { violations: evidence.flatMap(violationsIn), totals };
}

async function nextFault(stage: Stage, random: SeededRandom): Promise<string> {
  const player = oneOf(stage.players, random);
  const watcher = oneOf(stage.watchers, random);
  const fault = oneOf(FAULTS, random);
  const { link } = fault.startsWith('viewer') ? watcher : player;
  await chunksOn(link, random.below(MAX_CHUNKS));
  switch (fault) {
    case 'hub':
      await killHub(stage, random);
      return fault;
    case 'bridge':
      await stage.killBridge(player);
      return fault;
    case 'viewer':
      await stage.killViewer(watcher);
      return fault;
    default: {
      const how = oneOf(LINK_FAULTS, random);
      link.break(how);
      if (how === 'stall') setTimeout(() => link.mend(), random.below(600)).unref();
      return `${fault} ${how}`;
    }
  }
}

/** What was seen before is there afterwards: the record is read again after each kill. */
async function killHub(stage: Stage, random: SeededRandom): Promise<void> {
  const player = oneOf(stage.players, random);
  let seen = 0;
  await stage.killHub(async () => {
    for (const { entries } of stage.viewsOf(player.session)) {
      for (const entry of entries) if ('seq' in entry) seen = Math.max(seen, entry.seq);
    }
    await pause(random.below(200));
  });
  const record = await stage.recordOf(player.session);
  player.readings.push({ raws: record.map(({ raw }) => raw), seen });
}

async function chunksOn(link: FaultyLink, count: number): Promise<void> {
  const [target, end] = [link.chunks + count, Date.now() + MAX_WAIT_MS];
  while (link.chunks < target && Date.now() < end) await pause(5);
}

function oneOf<Item>(items: readonly Item[], random: SeededRandom): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new RangeError('there is nothing to choose from');
  return item;
}
