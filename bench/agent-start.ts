import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from '@signalbox/model';
import { referenceCli, referenceEnv } from '@signalbox/testing/reference-cli';
import { type Benchmark, interleave, median, type Row } from './measure.ts';
import { MeasuredAgent, OUR_AGENT } from './measured-agent.ts';

const REFERENCE = '2.1.325';
const ROUNDS = 15;

/** Less than this no program on Node can have: it says at once that it is done. */
const RESULT_ONLY = `process.stdin.once('data', () => console.log('{"type":"result"}'))`;

async function run(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-home-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  const env = referenceEnv(home, model.url);
  const claude = await referenceCli(REFERENCE);
  const nothing = () => ({ cpuMs: [] as number[], peakMib: [] as number[], ownMib: [] as number[] });
  const seen = { reference: nothing(), node: nothing(), ours: nothing() };
  const firstResult = (name: keyof typeof seen, command: readonly string[]) => async () => {
    const startedAt = performance.now();
    const agent = new MeasuredAgent(command, env);
    await agent.answer('say hi');
    const ms = performance.now() - startedAt;
    seen[name].cpuMs.push(agent.cpuMs());
    seen[name].peakMib.push(agent.peakMib());
    seen[name].ownMib.push(agent.ownMib());
    await agent.end();
    return ms;
  };
  const { reference = 0, ours = 0 } = await interleave(ROUNDS, {
    reference: firstResult('reference', [claude]),
    node: firstResult('node', [process.execPath, '--eval', RESULT_ONLY, '--']),
    ours: firstResult('ours', OUR_AGENT),
  });
  await model.close();
  rmSync(home, { recursive: true, force: true });
  const row = (what: string, theirs: number, mine: number, unit: string, limit?: number): Row => ({
    what: `${what}, against claude ${REFERENCE}`,
    baseline: `${theirs.toFixed(0)} ${unit}`,
    ours: `${mine.toFixed(0)} ${unit}`,
    ratio: `${(mine / theirs).toFixed(2)} ×`,
    target: limit === undefined ? '–' : `≤ ${limit} ×`,
    met: limit === undefined ? undefined : mine / theirs <= limit,
  });
  return [
    row('from its start to the first result', reference, ours, 'ms', 0.22),
    row('processor time up to then', mean(seen.reference.cpuMs), mean(seen.ours.cpuMs), 'ms'),
    row('most memory up to then', median(seen.reference.peakMib), median(seen.ours.peakMib), 'MiB', 0.2),
    row(
      'the same of node without a program',
      median(seen.reference.peakMib),
      median(seen.node.peakMib),
      'MiB',
    ),
    row(
      'memory that no other process can share',
      median(seen.reference.ownMib),
      median(seen.ours.ownMib),
      'MiB',
      0.2,
    ),
  ];
}

/** The system counts in steps that are long beside a start: only many together say something. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export const agentStart: Benchmark = { name: 'agent-start', title: 'The start of `signalbox-agent`', run };
