import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { referenceEnv } from '@signalbox/testing/reference-cli';
import { type Benchmark, type Row, time } from './measure.ts';
import { MeasuredAgent, OUR_AGENT } from './measured-agent.ts';

const TURNS = 1000;
/** Turns before the first window: compiling and filling caches is not what grows. */
const WARM_UP = 100;
const WINDOW = 100;

/** The requests of a turn: for the tool call, and for the answer. */
const REQUESTS_A_TURN = 2;

const BARE_AGENT = [
  process.execPath,
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL('./bare-agent.ts', import.meta.url)),
];

/** What a turn costs on average within a window: the agent's own processor time, and the time that passes. */
interface Cost {
  cpuMs: number;
  wallMs: number;
}

interface Session {
  first: Cost;
  last: Cost;
  /** How large the last request was, and what it takes to write it as JSON. */
  bodyBytes: number;
  stringifyMs: number;
}

/** A long session in which every turn calls a tool. */
async function session(command: readonly string[], model: ScriptedModel, home: string): Promise<Session> {
  const agent = new MeasuredAgent(command, referenceEnv(home, model.url));
  const file = join(agent.folder, 'notes.txt');
  writeFileSync(file, 'a line of text that the tool returns\n'.repeat(3));
  const turns = async (count: number): Promise<Cost> => {
    const before = { cpuMs: agent.cpuMs(), at: performance.now() };
    for (let turn = 0; turn < count; turn += 1) {
      // The model remembers requests with their bodies: together they would fill the memory of this process.
      model.reset();
      await agent.answer(`read ${file}`);
    }
    const wallMs = performance.now() - before.at;
    return { cpuMs: (agent.cpuMs() - before.cpuMs) / count, wallMs: wallMs / count };
  };
  await turns(WARM_UP);
  const first = await turns(WINDOW);
  await turns(TURNS - WARM_UP - 2 * WINDOW);
  const last = await turns(WINDOW);
  const body = model.requests.at(-1)?.body;
  await agent.end();
  const repeat = 20;
  const stringifyMs = time(() => {
    for (let round = 0; round < repeat; round += 1) JSON.stringify(body);
  });
  return { first, last, bodyBytes: JSON.stringify(body).length, stringifyMs: stringifyMs / repeat };
}

async function run(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-home-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  const bare = await session(BARE_AGENT, model, home);
  const ours = await session(OUR_AGENT, model, home);
  await model.close();
  rmSync(home, { recursive: true, force: true });
  const grown = ({ first, last }: Session): number => last.cpuMs - first.cpuMs;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const row = (what: string, baseline: number, mine: number, target = '–', met?: boolean): Row => ({
    what,
    baseline: ms(baseline),
    ours: ms(mine),
    ratio: `${(mine / baseline).toFixed(2)} ×`,
    target,
    met,
  });
  const kilobytes = (ours.bodyBytes / 1000).toFixed(0);
  const from = WARM_UP + 1;
  return [
    row(`processor time of a turn, turns ${from}–${WARM_UP + WINDOW}`, bare.first.cpuMs, ours.first.cpuMs),
    row(`the same, the last ${WINDOW} of ${TURNS} turns`, bare.last.cpuMs, ours.last.cpuMs),
    row(
      `what it grew by, while requests grew to ${kilobytes} kB`,
      grown(bare),
      grown(ours),
      '≤ 1.5 ×',
      grown(ours) <= 1.5 * grown(bare),
    ),
    row('the same, against writing these requests as JSON', REQUESTS_A_TURN * ours.stringifyMs, grown(ours)),
    row(
      `time of a turn, the model's included, turns ${from}–${WARM_UP + WINDOW}`,
      bare.first.wallMs,
      ours.first.wallMs,
    ),
    row(`the same, the last ${WINDOW}`, bare.last.wallMs, ours.last.wallMs),
  ];
}

export const agentTurns: Benchmark = {
  name: 'agent-turns',
  title: 'A session of 1,000 turns with tool calls, against a loop that only sends the conversation',
  run,
};
