import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { SpendMeter } from '../../src/spend/spend-meter.ts';
import { TurnPlace } from '../../src/spend/turn-place.ts';

const MODEL = 'claude-opus-5-5';

function reply(id: string, use: JsonObject = {}, text = ''): JsonObject {
  const usage = { input_tokens: 100, output_tokens: 20, ...use };
  return { type: 'assistant', message: { id, model: MODEL, usage, content: [{ type: 'text', text }] } };
}

function used(input: number, usd: number, more: JsonObject = {}): JsonObject {
  const cache = { cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  return { [MODEL]: { inputTokens: input, outputTokens: 20, ...cache, costUSD: usd, ...more } };
}

/** What a recorded run of the official CLI says, process by process. */
function recorded(version: string, name: string): (JsonObject | 'started')[] {
  const url = new URL(`../../../protocol/test/fixtures/wire/${version}/${name}.jsonl`, import.meta.url);
  return readFileSync(url, 'utf8')
    .trim()
    .split('\n')
    .flatMap((text): (JsonObject | 'started')[] => {
      const line: unknown = JSON.parse(text);
      if (!isJsonObject(line)) return [];
      if ('run' in line) return ['started'];
      const { msg } = line;
      return isJsonObject(msg) && (msg['type'] === 'assistant' || msg['type'] === 'result') ? [msg] : [];
    });
}

describe('what an agent spends', () => {
  it('[AP1953] is what the official CLI says, of both kinds, over several processes of one conversation', () => {
    // Each run costs the same: today's CLI goes on with the sum of the process before, the other begins anew.
    for (const [version, usd] of [
      ['2.1.325', 0.0008],
      ['2.1.37', 0.001],
    ] as const) {
      const meter = new SpendMeter();
      for (const said of recorded(version, 'resume'))
        if (said === 'started') meter.restarted();
        else meter.hear(said, false);
      expect(meter.spent.usd, version).toBeCloseTo(3 * usd, 9);
      expect(meter.spent.tokens, version).toBe(3 * 120);
    }
    // Models that the agent asks on the side are in its sums alone.
    const meter = new SpendMeter();
    for (const said of recorded('2.1.37', 'hooks')) if (said !== 'started') meter.hear(said, false);
    expect(meter.spent.usd).toBeCloseTo(0.0022, 9);
  });

  it('[AP1954] is counted with each reply, once for all of its blocks, and set right by the result', () => {
    const meter = new SpendMeter();
    meter.hear(reply('a', { output_tokens: 1 }), false);
    const first = meter.spent.usd;
    expect(first).toBeCloseTo((100 * 4 + 1 * 20) / 1e6, 9);
    meter.hear(reply('a', { output_tokens: 1 }), false);
    expect(meter.spent.usd).toBe(first);
    // Replies of a sub-agent come in between.
    meter.hear(reply('b'), false);
    meter.hear(reply('a', { output_tokens: 20 }), false);
    meter.hear(reply('b'), false);
    expect(meter.spent.tokens).toBe(240);
    const result = {
      type: 'result',
      uuid: 'r1',
      total_cost_usd: 7,
      modelUsage: used(900, 7),
      model_usage_since_last_result: used(300, 0.5),
    };
    meter.hear(result, false);
    expect(meter.spent.usd).toBeCloseTo(0.5, 9);
    expect(meter.spent.tokens).toBe(320);
    // The same result again, after a reconnect.
    expect(meter.hear(result, false)).toBeUndefined();
    expect(meter.spent.usd).toBeCloseTo(0.5, 9);
  });

  it('[AP1955] goes on from what was kept, and counts no dollars for what nobody pays for', () => {
    const meter = new SpendMeter();
    meter.prompted('Ann');
    meter.hear(reply('a'), false);
    const later = new SpendMeter();
    later.load(JSON.parse(JSON.stringify(meter.state)));
    expect(later.person).toBe('Ann');
    expect(later.hear(reply('a'), false)?.uses.size).toBe(0);
    later.hear({ type: 'result', total_cost_usd: 0.25, modelUsage: used(100, 0.25) }, false);
    expect(later.spent.usd).toBeCloseTo(0.25, 9);
    const free = new SpendMeter();
    free.hear(reply('a'), true);
    free.hear({ type: 'result', total_cost_usd: 3, modelUsage: used(100, 3) }, true);
    expect(free.spent).toEqual({ usd: 0, tokens: 120 });
    const unknown = new SpendMeter();
    const madeUp = used(100, 3, { costBasis: 'unknown' });
    unknown.hear({ type: 'result', total_cost_usd: 3, model_usage_since_last_result: madeUp }, false);
    expect(unknown.spent.usd).toBe(0);
  });

  it('[AP1956] cannot be made less than nothing, endless or long by what an agent makes up', () => {
    for (const said of [-5, Number.NaN, Number.POSITIVE_INFINITY, 1e308, '7', null, {}]) {
      const meter = new SpendMeter();
      const usage = { input_tokens: said, output_tokens: said, cache_read_input_tokens: said };
      meter.hear(reply('a', usage), false);
      const use = used(1, 1, { inputTokens: said, costUSD: said });
      meter.hear({ type: 'result', total_cost_usd: said, modelUsage: use }, false);
      meter.hear({ type: 'result', total_cost_usd: said, modelUsage: said, usage: said }, false);
      expect(meter.spent.usd).toBeGreaterThanOrEqual(0);
      expect(meter.spent.usd).toBeLessThanOrEqual(2_000_000);
      expect(Number.isFinite(meter.spent.tokens)).toBe(true);
    }
    const meter = new SpendMeter();
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`${'x'.repeat(300)}${at}`, used(1, 1)[MODEL]]),
    );
    for (let at = 0; at < 500; at += 1) meter.hear(reply(`${'i'.repeat(300)}${at}`), false);
    const metered = meter.hear({ type: 'result', modelUsage: many, total_cost_usd: 5000 }, false);
    expect(metered?.uses.size).toBeLessThanOrEqual(34);
    for (const odd of [{}, { type: 'result' }, { type: 'assistant', message: 'x' }, { message: { id: 1 } }])
      expect(() => meter.hear(odd, false)).not.toThrow();
    expect(JSON.stringify(meter.state).length).toBeLessThan(50_000);
  });

  it('[AP2500] is counted whatever a model or a reply is called, before and after it was kept', () => {
    const names = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'usd'];
    const meter = new SpendMeter();
    for (const name of names) {
      const message = { id: name, model: name, usage: { input_tokens: 10 }, content: [] };
      for (let times = 0; times < 2; times += 1) meter.hear({ type: 'assistant', message }, false);
    }
    expect(meter.spent.tokens).toBe(10 * names.length);
    const later = new SpendMeter();
    later.load(JSON.parse(JSON.stringify(meter.state)));
    const said = names.map((name) => `${JSON.stringify(name)}:{"costUSD":1,"inputTokens":30}`).join();
    for (const turn of [1, 2]) {
      const sums = JSON.parse(`{${said}}`.replaceAll('30', `${turn * 30}`).replaceAll(':1,', `:${turn},`));
      const metered = later.hear({ type: 'result', uuid: `r${turn}`, modelUsage: sums }, false);
      expect([...(metered?.uses.keys() ?? [])].toSorted()).toEqual(names.toSorted());
      expect(later.spent).toEqual({ usd: turn * names.length, tokens: turn * 30 * names.length });
    }
  });

  it('[AP2501] has few models and few folders in a session, however often it names others', () => {
    const [models, folders] = [new Set<string>(), new Set<string | null>()];
    let [meter, place] = [new SpendMeter(), new TurnPlace()];
    for (let turn = 0; turn < 100; turn += 1) {
      const use = { costUSD: 1, inputTokens: 1 };
      const told = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`m${turn}-${at}`, use]));
      const said = { type: 'result', uuid: `r${turn}`, model_usage_since_last_result: told };
      for (const model of meter.hear(said, false)?.uses.keys() ?? []) models.add(model);
      folders.add(place.of({ folder: `/f${turn}`, day: '2026-11-18' }).folder);
      // All of a turn is counted where it began.
      const elsewhere = { folder: '/elsewhere', day: '2026-11-19' };
      expect(place.of(elsewhere)).toEqual({ folder: [...folders].at(-1), day: '2026-11-18' });
      const kept = JSON.parse(JSON.stringify({ meter: meter.state, place: place.state }));
      [meter, place] = [new SpendMeter(), new TurnPlace()];
      meter.load(kept.meter);
      place.load(kept.place);
      expect(place.of(elsewhere).day).toBe('2026-11-18');
      place.end();
    }
    expect([models.size, folders.size]).toEqual([33, 16]);
    expect(meter.spent).toEqual({ usd: 2000, tokens: 2000 });
  });
});
