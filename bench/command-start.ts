import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HubApi } from '../packages/sdk/src/hub/index.ts';
import { type Benchmark, interleave, median, type Row } from './measure.ts';

const SIGNALBOX = fileURLToPath(new URL('../dist/signalbox.js', import.meta.url));
const ROUNDS = 31;
const MOST = 2;
const TITLES = ['mend the login', 'mend the next failing test · 3/10', 'prüfe, ob alles läuft'];

/** `signalbox up` in a home of its own, and some sessions; settles when it serves. */
async function startHub(home: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const words = [SIGNALBOX, 'up', '--no-welcome', '--port', '0'];
  const hub = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of hub.stdout) {
    said += String(chunk);
    const [, url] = /is up at (\S+)\n/.exec(said) ?? [];
    if (url === undefined) continue;
    const api = new HubApi({ url, token: readFileSync(join(home, 'token'), 'utf8').trim() });
    for (const title of TITLES) {
      const { session } = await api.createSession({});
      await api.rename(session.id, title);
    }
    return hub;
  }
  throw new Error(`the hub did not start: ${said}`);
}

/** Run a command to its end; gives how long it took, and the processor time of it and of nothing else. */
async function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<{ ms: number; cpuMs: number }> {
  const script = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null`;
  const startedAt = performance.now();
  const bash = spawn('bash', ['-c', script, 'bash', process.execPath, ...words], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of bash.stderr) said += String(chunk);
  const [, user, system] = /^(\d+\.\d+) (\d+\.\d+)\n$/.exec(said) ?? [];
  if (user === undefined) throw new Error(`${words.join(' ')} failed: ${said}`);
  return { ms: performance.now() - startedAt, cpuMs: (Number(user) + Number(system)) * 1000 };
}

function row(what: string, node: number, ours: number): Row {
  return {
    what,
    baseline: `${node.toFixed(0)} ms`,
    ours: `${ours.toFixed(0)} ms`,
    ratio: `${(ours / node).toFixed(2)} ×`,
    target: `≤ ${MOST} ×`,
    met: ours / node <= MOST,
  };
}

export const commandStart: Benchmark = {
  name: 'command-start',
  title: '`signalbox sessions`, against `node -e 0`',
  async run() {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_LOG: 'error' };
    const hub = await startHub(home, env);
    try {
      const cpu: { node: number[]; ours: number[] } = { node: [], ours: [] };
      const timed = (name: keyof typeof cpu, words: readonly string[]) => async () => {
        const { ms, cpuMs } = await run(words, env);
        cpu[name].push(cpuMs);
        return ms;
      };
      const { node = 0, ours = 0 } = await interleave(ROUNDS, {
        node: timed('node', ['-e', '0']),
        ours: timed('ours', [SIGNALBOX, 'sessions']),
      });
      return [
        row('processor time of the command', median(cpu.node), median(cpu.ours)),
        row('from its start to its end, a shell around it included', node, ours),
      ];
    } finally {
      hub.kill('SIGTERM');
      await once(hub, 'exit');
      rmSync(home, { recursive: true, force: true });
    }
  },
};
