import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type PermissionRule, parseRule, type RuleSets } from '@signalbox/protocol';
import { build } from 'esbuild';
import type * as Permission from '../packages/agent/src/permission/decide.ts';
import { ShellScene, shellLines } from '../test/shell-lines/scene.ts';
import type { Benchmark, Row } from './measure.ts';

const ROUNDS = 25;

/** The first rounds are for the compiler. */
const WARM_UP = 10;
const MOST_MICROSECONDS = 50;
const MOST_GROWTH = 3;

/** Rules as settings have them, none of them about the lines that are judged. */
function rulesOf(count: number): RuleSets {
  const rule = (at: number): PermissionRule =>
    parseRule(at % 2 === 0 ? `Bash(npm run task-${at}:*)` : `Bash(tool-${at} *)`);
  const half = Array.from({ length: count / 2 }, (_, at) => rule(at));
  return { allow: half, deny: half.slice(), ask: [] };
}

type Decide = typeof Permission.decide;

/** As it is shipped: bundled, without what a loader adds to every function. */
async function shippedDecide(folder: string): Promise<Decide> {
  const outfile = join(folder, 'decide.mjs');
  const entry = fileURLToPath(new URL('../packages/agent/src/permission/decide.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    logLevel: 'error',
  });
  const module: { decide: Decide } = await import(pathToFileURL(outfile).href);
  return module.decide;
}

/** The median time of a decision about the lines, in microseconds; each line comes once a round. */
function medianOf(decide: Decide, lines: readonly string[], rules: RuleSets, scene: ShellScene): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const command of lines) {
      const start = process.hrtime.bigint();
      decide(
        {
          toolName: 'Bash',
          input: { command },
          paths: [],
          isReadOnly: false,
          isEdit: false,
          needsPerson: false,
        },
        { mode: 'default', rules, cwd: scene.folder, home: scene.home, folders: [scene.folder] },
      );
      if (round >= WARM_UP) times.push(Number(process.hrtime.bigint() - start) / 1000);
    }
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

async function run(): Promise<Row[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bench-lines-')));
  try {
    const decide = await shippedDecide(mkdtempSync(join(root, 'built-')));
    const scene = new ShellScene(root);
    const harmless = shellLines('harmless').map((line) => scene.fill(line));
    const all = [...harmless, ...shellLines('hostile').map((line) => scene.fill(line))];
    const [few, many] = [rulesOf(10), rulesOf(10_000)];
    const quick = medianOf(decide, harmless, few, scene);
    const some = medianOf(decide, all, few, scene);
    const full = medianOf(decide, all, many, scene);
    const long = medianOf(decide, [`echo ${'a '.repeat(500_000)}`], few, scene);
    const row = (what: string, time: number, limit: number): Row => ({
      what,
      baseline: `${limit} µs`,
      ours: `${time.toFixed(0)} µs`,
      ratio: `${(time / limit).toFixed(2)} ×`,
      target: `≤ ${limit} µs`,
      met: time <= limit,
    });
    return [
      row('a harmless line, 10 rules', quick, MOST_MICROSECONDS),
      row('a harmless or hostile line, 10 rules', some, MOST_MICROSECONDS),
      {
        what: 'the same with 10,000 rules',
        baseline: `${some.toFixed(0)} µs`,
        ours: `${full.toFixed(0)} µs`,
        ratio: `${(full / some).toFixed(2)} ×`,
        target: `≤ ${MOST_GROWTH} ×`,
        met: full / some <= MOST_GROWTH,
      },
      row('a line of 1 MB', long, 50_000),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export const shellDecisions: Benchmark = {
  name: 'shell-decisions',
  title: 'Deciding about a shell line',
  run,
};
