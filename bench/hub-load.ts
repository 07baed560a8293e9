import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cast, dialled, type Place, startCast, startHub, startRelay, Watched } from './hub-stage.ts';
import { type Benchmark, median, type Row } from './measure.ts';

/** How long many agents are kept talking; SIGNALBOX_BENCH_SECONDS makes it longer. */
const LOAD_SECONDS = Number(process.env.SIGNALBOX_BENCH_SECONDS ?? 10);
const AGENTS = 1000;
const AGENT_RATE = 10;

const PACE = 1000;
const PACE_ROUNDS = 5;
const PACE_SECONDS = 2;

const VIEWERS = 50;
const SLOW_BYTES = 1024;
const SLOW_MESSAGES = 60_000;
const SLOW_SLICE = 10_000;

/** A moment for a process to come to rest. */
const REST_MS = 3000;

/** One agent at a steady pace, and one viewer. */
export class Pacer {
  readonly place: Place | undefined;
  readonly #cast: Cast;
  #sent = 0;

  private constructor(place: Place | undefined, cast: Cast) {
    this.place = place;
    this.#cast = cast;
  }

  /** Without a place the agent dials its viewer, which may be elsewhere than the agent. */
  static async set(place: Place | undefined, watched = place): Promise<Pacer> {
    const cast = await startCast();
    const sessions = [crypto.randomUUID()];
    const url = place?.url ?? (await cast.viewers.ask<string>({ do: 'listen' }));
    const { kind, token } = place ?? ({ kind: 'relay', token: '' } as const);
    await cast.agents.ask({ do: 'dial', kind, url, token, sessions });
    if (watched)
      await cast.viewers.ask({ do: 'watch', ...dialled(watched), sessions, count: 1, timed: true });
    return new Pacer(place, cast);
  }

  async slice(): Promise<{ delayMs: number; cpuMs: number }> {
    const count = PACE * PACE_SECONDS;
    const from = this.#sent + 1;
    this.#sent += count;
    const before = this.place?.process.cpuMs() ?? 0;
    const reached = this.#cast.viewers.ask({ do: 'reach', number: this.#sent });
    await this.#cast.agents.ask({ do: 'pace', from, count, perSecond: PACE });
    await reached;
    const cpuMs = (this.place?.process.cpuMs() ?? 0) - before;
    return { delayMs: median(await this.#cast.viewers.ask<number[]>({ do: 'delays' })), cpuMs };
  }

  end(): Promise<void> {
    return this.#cast.end();
  }
}

async function paceRows(hub: Place, relay: Place): Promise<Row[]> {
  const pacers = {
    hop: await Pacer.set(undefined),
    relay: await Pacer.set(relay),
    hub: await Pacer.set(hub),
  };
  const delays: Record<string, number[]> = {};
  const costs: Record<string, number[]> = {};
  for (let round = 0; round <= PACE_ROUNDS; round += 1) {
    for (const [name, pacer] of Object.entries(pacers)) {
      const { delayMs, cpuMs } = await pacer.slice();
      if (round === 0) continue;
      (delays[name] ??= []).push(delayMs);
      (costs[name] ??= []).push(cpuMs);
    }
  }
  await Promise.all(Object.values(pacers).map((pacer) => pacer.end()));
  const delay = (name: keyof typeof pacers): number => median(delays[name] ?? []);
  const cost = (name: keyof typeof pacers): number => median(costs[name] ?? []);
  const added = (delay('hub') - delay('hop')) / delay('hop');
  const share = (ms: number): string => `${(ms / PACE_SECONDS / 10).toFixed(1)} % of a core`;
  const ratio = cost('hub') / cost('relay');
  const pace = `one agent, ${PACE.toLocaleString('en')} messages a second, one viewer`;
  return [
    {
      what: `${pace}: median delay that the hub adds, against one direct hop (the relay: ${delay('relay').toFixed(2)} ms in all)`,
      baseline: `${delay('hop').toFixed(2)} ms`,
      ours: `${(delay('hub') - delay('hop')).toFixed(2)} ms`,
      ratio: `${added.toFixed(2)} ×`,
      target: '≤ 5 ×',
      met: added <= 5,
    },
    {
      what: `${pace}: processor time, against the relay`,
      baseline: share(cost('relay')),
      ours: share(cost('hub')),
      ratio: `${ratio.toFixed(2)} ×`,
      target: '≤ 4 ×',
      met: ratio <= 4,
    },
  ];
}

async function slowViewerRow(hub: Place): Promise<Row> {
  const { url, token, kind } = hub;
  const rates: Record<'none' | 'slow', number[]> = { none: [], slow: [] };
  let caughtUp = '';
  for (let round = 0; round < 3; round += 1) {
    for (const what of ['none', 'slow'] as const) {
      const cast = await startCast();
      const session = crypto.randomUUID();
      const isSlow = what === 'slow';
      await cast.agents.ask({ do: 'dial', kind, url, token, sessions: [session] });
      const count = isSlow ? VIEWERS - 1 : VIEWERS;
      await cast.viewers.ask({ do: 'watch', kind, url, token, sessions: [session], count });
      if (isSlow) await cast.viewers.ask({ do: 'watchSlowly', url, token, session, bytes: SLOW_BYTES });
      let ms = 0;
      // In slices that fifty viewers in one process keep up with: they must not be cut for being slow themselves.
      for (let sent = 0; sent < SLOW_MESSAGES; sent += SLOW_SLICE) {
        const reached = cast.viewers.ask<number>({ do: 'reach', number: sent + SLOW_SLICE });
        const startMs = await cast.agents.ask<number>({ do: 'flood', from: sent + 1, count: SLOW_SLICE });
        ms += (await reached) - startMs;
      }
      rates[what].push(SLOW_MESSAGES / ms);
      if (isSlow) {
        const { code, seen } = await cast.viewers.ask<{ code: number; seen: number }>({ do: 'hurry' });
        await cast.viewers.ask({ do: 'resume', url, token, number: SLOW_MESSAGES });
        caughtUp = `cut with ${code} after ${seen.toLocaleString('en')}, then all`;
      }
      await cast.end();
    }
  }
  const [none, slow] = [median(rates.none), median(rates.slow)];
  const perSecond = (rate: number): string => `${Math.round(rate * 1000).toLocaleString('en')}/s`;
  return {
    what: `${VIEWERS} viewers, one of which reads 1 kB/s, against none that does (it was ${caughtUp}; most memory of the hub ${Math.round(hub.process.peakKib() / 1024)} MiB)`,
    baseline: perSecond(none),
    ours: perSecond(slow),
    ratio: `${(slow / none).toFixed(2)} ×`,
    target: '≥ 0.95 ×',
    met: slow / none >= 0.95,
  };
}

/** Memory of a hub that has nothing to do, of sessions that have nothing to do, and a load of many agents. */
async function manyAgentsRows(): Promise<Row[]> {
  const node = new Watched(
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }),
  );
  const hub = await startHub();
  const cast = await startCast();
  await pause(REST_MS);
  const [nodeKib, idleKib] = [node.memoryKib(), hub.process.memoryKib()];
  await node.end();
  const { kind, url, token } = hub;
  const sessionsOf = (name: string): string[] =>
    Array.from({ length: AGENTS }, (_, index) => `${name}-${index}`);
  const sessions = sessionsOf('agent');
  await cast.agents.ask({ do: 'dial', kind, url, token, sessions });
  await pause(REST_MS);
  const firstKib = hub.process.memoryKib();
  // What a hub grows by once, its young generation above all, is in the first thousand and not in the second.
  const others = await startCast();
  await others.agents.ask({ do: 'dial', kind, url, token, sessions: sessionsOf('other') });
  await pause(REST_MS);
  const secondKib = hub.process.memoryKib();
  await others.end();
  await pause(REST_MS);
  const kbEach = (kib: number): string => `${((kib * 1.024) / AGENTS).toFixed(0)} kB`;
  const before = hub.process.cpuMs();
  const count = AGENT_RATE * LOAD_SECONDS;
  const startedAt = performance.now();
  await cast.agents.ask({ do: 'pace', from: 1, count, perSecond: AGENT_RATE });
  const spokenMs = performance.now() - startedAt;
  const kept = await keptLines(hub, sessions, count);
  const load = (hub.process.cpuMs() - before) / (LOAD_SECONDS * 1000);
  await Promise.all([cast.end(), hub.process.end()]);
  const isHeld = kept === AGENTS * count && spokenMs <= LOAD_SECONDS * 1000 * 1.1;
  const mib = (kib: number): string => `${Math.round(kib / 1024)} MiB`;
  return [
    {
      what: 'memory of an idle hub, against an idle node process',
      baseline: mib(nodeKib),
      ours: mib(idleKib),
      ratio: `${(idleKib / nodeKib).toFixed(2)} ×`,
      target: '≤ 2 ×',
      met: idleKib / nodeKib <= 2,
    },
    {
      what: 'memory of an idle session with its agent connected: what each of a second thousand adds',
      baseline: '–',
      ours: kbEach(secondKib - firstKib),
      ratio: '–',
      target: '≤ 50 kB',
      met: ((secondKib - firstKib) * 1.024) / AGENTS <= 50,
    },
    {
      what: 'the same of the first thousand, with what the hub itself grows by once',
      baseline: '–',
      ours: kbEach(firstKib - idleKib),
      ratio: '–',
      target: '–',
      met: undefined,
    },
    {
      what: `${AGENTS.toLocaleString('en')} agents with ${AGENT_RATE} messages a second each, for ${LOAD_SECONDS} s (the hub used ${load.toFixed(2)} cores)`,
      baseline: `${(AGENTS * count).toLocaleString('en')} said in ${(spokenMs / 1000).toFixed(1)} s`,
      ours: `${kept.toLocaleString('en')} kept, in order`,
      ratio: `${(kept / (AGENTS * count)).toFixed(2)} ×`,
      target: '1 ×',
      met: isHeld,
    },
  ];
}

/** How many of the messages are in the records, once and in order; waits until all are, for as long as more come. */
async function keptLines({ url, token }: Place, sessions: readonly string[], count: number): Promise<number> {
  let kept = 0;
  for (const session of sessions) {
    for (let tries = 0; ; tries += 1) {
      const response = await fetch(
        `${url.replace('ws', 'http')}/api/sessions/${session}/events?limit=10000`,
        {
          headers: { authorization: `Bearer ${token}` },
        },
      );
      const numbers = [...(await response.text()).matchAll(/"uuid":"5a7892a4-22dd-4225-b766-(\d{12})"/g)];
      const isInOrder = numbers.every(([, number], index) => Number(number) === index + 1);
      if (!isInOrder) throw new Error(`the record of ${session} is not what was said`);
      if (numbers.length >= count || tries === 50) {
        kept += numbers.length;
        break;
      }
      await pause(200);
    }
  }
  return kept;
}

async function run(): Promise<Row[]> {
  const hub = await startHub();
  const relay = await startRelay();
  try {
    return [...(await paceRows(hub, relay)), await slowViewerRow(hub), ...(await manyAgentsRows())];
  } finally {
    await Promise.all([hub.process.end(), relay.process.end()]);
  }
}

export const hubLoad: Benchmark = {
  name: 'hub-load',
  title: 'The hub under load, and at rest',
  run,
};
