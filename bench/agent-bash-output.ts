import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from '@signalbox/model';
import { referenceCli, referenceEnv } from '@signalbox/testing/reference-cli';
import type { Benchmark, Row } from './measure.ts';
import { MeasuredAgent, OUR_AGENT } from './measured-agent.ts';

const REFERENCE = '2.1.325';
const OUTPUT_MB = 100;
const COMMAND = `run yes "a line of output, as a noisy build would print it" | head -c ${OUTPUT_MB}000000`;

interface Run {
  ms: number;
  /** What the output added to the most memory that the process had, in MiB. */
  addedMib: number;
}

async function loudCommand(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const agent = new MeasuredAgent([...command, '--dangerously-skip-permissions'], env);
  await agent.answer('run true');
  const before = agent.peakMib();
  const startedAt = performance.now();
  await agent.answer(COMMAND);
  const loud = { ms: performance.now() - startedAt, addedMib: agent.peakMib() - before };
  await agent.end();
  return loud;
}

async function run(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-home-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  const env = referenceEnv(home, model.url);
  const theirs = await loudCommand([await referenceCli(REFERENCE)], env);
  const ours = await loudCommand(OUR_AGENT, env);
  await model.close();
  rmSync(home, { recursive: true, force: true });
  const what = `${OUTPUT_MB} MB of output of a command`;
  const share = (ours.addedMib * 1.048576) / OUTPUT_MB;
  return [
    {
      what: `${what}: memory that it adds (beside: claude ${REFERENCE})`,
      baseline: `${theirs.addedMib.toFixed(0)} MiB`,
      ours: `${ours.addedMib.toFixed(0)} MiB`,
      ratio: `${share.toFixed(2)} × the output`,
      target: '≤ 0.5 ×',
      met: share <= 0.5,
    },
    {
      what: `${what}: until the result (beside: claude ${REFERENCE})`,
      baseline: `${theirs.ms.toFixed(0)} ms`,
      ours: `${ours.ms.toFixed(0)} ms`,
      ratio: `${(ours.ms / theirs.ms).toFixed(2)} ×`,
      target: '–',
      met: undefined,
    },
  ];
}

export const agentBashOutput: Benchmark = {
  name: 'agent-bash-output',
  title: 'A command that prints a lot',
  run,
};
