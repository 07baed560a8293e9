import { type Cast, dialled, type Place, startCast, startHub, startRelay } from './hub-stage.ts';
import { type Benchmark, median, type Row } from './measure.ts';

const ROUNDS = 5;

/** A contender on its stage: its agent and viewers are there, and each slice goes on with the numbers. */
export class Contender {
  readonly place: Place;
  readonly #cast: Cast;
  #sent = 0;

  private constructor(place: Place, cast: Cast) {
    this.place = place;
    this.#cast = cast;
  }

  /** The viewers may be elsewhere than the agent. */
  static async set(place: Place, viewers: number, deflate = false, watched = place): Promise<Contender> {
    const cast = await startCast();
    const sessions = [crypto.randomUUID()];
    await cast.agents.ask({ do: 'dial', ...dialled(place), sessions });
    await cast.viewers.ask({ do: 'watch', ...dialled(watched), sessions, count: viewers, deflate });
    return new Contender(place, cast);
  }

  /** Messages as fast as they go; gives the time until the last viewer had the last one, and what it cost the place. */
  async flood(count: number): Promise<{ ms: number; cpuMs: number }> {
    const from = this.#sent + 1;
    this.#sent += count;
    const before = this.place.process.cpuMs();
    const reached = this.#cast.viewers.ask<number>({ do: 'reach', number: this.#sent });
    const startMs = await this.#cast.agents.ask<number>({ do: 'flood', from, count });
    const ms = (await reached) - startMs;
    return { ms, cpuMs: this.place.process.cpuMs() - before };
  }

  end(): Promise<void> {
    return this.#cast.end();
  }
}

function perSecond(count: number, ms: number): string {
  return `${Math.round((count * 1000) / ms).toLocaleString('en')}/s`;
}

/** Throughput to so many viewers. A slice of the slower one is shorter, so that both take about as long. */
async function fanOutRow(
  hub: Place,
  relay: Place,
  viewers: number,
  slices: { relay: number; hub: number },
  target: number,
): Promise<Row> {
  const ours = await Contender.set(hub, viewers);
  const bare = await Contender.set(relay, viewers);
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const slow = await bare.flood(slices.relay);
    const fast = await ours.flood(slices.hub);
    // The first round is for the compilers.
    if (round === 0) continue;
    rates.bare.push(slices.relay / slow.ms);
    rates.ours.push(slices.hub / fast.ms);
  }
  await Promise.all([ours.end(), bare.end()]);
  const [bareRate, oursRate] = [median(rates.bare), median(rates.ours)];
  return {
    what: `messages of one agent to ${viewers} viewer${viewers === 1 ? '' : 's'}, durable before they are shown`,
    baseline: perSecond(bareRate, 1),
    ours: perSecond(oursRate, 1),
    ratio: `${(oursRate / bareRate).toFixed(2)} ×`,
    target: `≥ ${target} ×`,
    met: oursRate / bareRate >= target,
  };
}

/** What it costs a hub that its viewers asked for compression. */
async function deflateRow(hub: Place, viewers: number, count: number): Promise<Row> {
  const costs: Record<'plain' | 'deflated', number[]> = { plain: [], deflated: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of ['plain', 'deflated'] as const) {
      const contender = await Contender.set(hub, viewers, kind === 'deflated');
      await contender.flood(count / 10);
      const { cpuMs } = await contender.flood(count);
      if (round > 0) costs[kind].push(cpuMs);
      await contender.end();
    }
  }
  const [plain, deflated] = [median(costs.plain), median(costs.deflated)];
  return {
    what: `processor time of the hub with ${viewers} viewers that ask for compression, against none that does`,
    baseline: `${((plain * 1000) / count).toFixed(1)} µs a message`,
    ours: `${((deflated * 1000) / count).toFixed(1)} µs`,
    ratio: `${(deflated / plain).toFixed(2)} ×`,
    target: '≤ 1.3 ×',
    met: deflated / plain <= 1.3,
  };
}

async function run(): Promise<Row[]> {
  const hub = await startHub();
  const relay = await startRelay();
  try {
    return [
      await fanOutRow(hub, relay, 1, { relay: 40_000, hub: 40_000 }, 1.2),
      await fanOutRow(hub, relay, 10, { relay: 5_000, hub: 40_000 }, 8),
      await fanOutRow(hub, relay, 50, { relay: 1_000, hub: 20_000 }, 25),
      await deflateRow(hub, 10, 20_000),
    ];
  } finally {
    await Promise.all([hub.process.end(), relay.process.end()]);
  }
}

export const hubLive: Benchmark = {
  name: 'hub-live',
  title: 'The hub, against a relay that keeps nothing',
  run,
};
