import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { referenceCli, referenceEnv } from '../packages/model/test/reference-cli.ts';
import { type Benchmark, faster, interleave, type Row } from './measure.ts';

const AGENT = fileURLToPath(new URL('../dist/signalbox-agent.js', import.meta.url));
const REFERENCE = '2.1.325';
const ROUNDS = 7;

interface Run {
  ms: number;
  /** The most memory the process itself had, in MiB. */
  peakMib: number;
}

/** Start a program as a host does, send one prompt, and wait for its result. */
async function firstResult(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const cwd = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const startedAt = performance.now();
  const flags = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const child = spawn(command, [...args, ...flags], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const prompt = {
    type: 'user',
    message: { role: 'user', content: 'say hi' },
    parent_tool_use_id: null,
    session_id: '',
  };
  child.stdin.write(`${JSON.stringify(prompt)}\n`);
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes('"type":"result"') || text.includes('"subtype":"success"')) break;
  }
  const ms = performance.now() - startedAt;
  const peakMib = peakOf(child.pid ?? 0);
  child.stdin.end();
  child.kill('SIGKILL');
  rmSync(cwd, { recursive: true, force: true });
  return { ms, peakMib };
}

function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

async function run(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-home-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  const env = referenceEnv(home, model.url);
  const claude = await referenceCli(REFERENCE);
  const peaks: Record<string, number[]> = { claude: [], ours: [], node: [] };
  const timed = (name: string, start: () => Promise<Run>) => async () => {
    const { ms, peakMib } = await start();
    peaks[name]?.push(peakMib);
    return ms;
  };
  const { claude: claudeMs = 0, ours = 0 } = await interleave(ROUNDS, {
    claude: timed('claude', () => firstResult(claude, [], env)),
    ours: timed('ours', () => firstResult(process.execPath, [AGENT], env)),
  });
  await model.close();
  rmSync(home, { recursive: true, force: true });
  const most = (name: string): number => Math.max(...(peaks[name] ?? []));
  const memory = most('ours') / most('claude');
  const speed = faster(`from its start to the first result, against claude ${REFERENCE}`, claudeMs, ours, 4);
  return [
    { ...speed, ratio: `${(ours / claudeMs).toFixed(2)} ×`, target: '≤ 0.25 ×' },
    {
      what: 'memory at the first result, against the same',
      baseline: `${most('claude').toFixed(0)} MiB`,
      ours: `${most('ours').toFixed(0)} MiB`,
      ratio: `${memory.toFixed(2)} ×`,
      target: '≤ 0.35 ×',
      met: memory <= 0.35,
    },
  ];
}

export const agentStart: Benchmark = { name: 'agent-start', title: 'The start of `signalbox-agent`', run };
