import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { readPriceList } from '../../src/model/price-list.ts';
import { fullModelName, knowBetter, modelFacts } from '../../src/model/prices.ts';

afterEach(() => knowBetter([]));

const list = (prices: unknown) => readPriceList({ SIGNALBOX_PRICES: JSON.stringify(prices) });

describe('prices', () => {
  it('[AG28] are known for the models that claude offers, as claude counts them', () => {
    const known = ['opus', 'sonnet', 'haiku', 'fable'].map((name) => modelFacts(fullModelName(name)));
    expect(
      known.map(({ input, output, cacheWrite, cacheRead }) => [input, output, cacheWrite, cacheRead]),
    ).toEqual([
      [4, 20, 5, 0.2],
      [2, 10, 2.5, 0.1],
      [0.1, 0.5, 0.125, 0.01],
      [8, 40, 10, 0.2],
    ]);
    expect(modelFacts('claude-sonnet-4-5')).toMatchObject({ input: 3, contextWindow: 200_000 });
  });

  it('[AG28] can be given by name or pattern; what is left out stays as it was', () => {
    const before = modelFacts('claude-sonnet-5-5');
    knowBetter(
      list({
        'local-7b': { input: 0, output: 0, contextWindow: 8192, maxOutputTokens: 1024 },
        'claude-SONNET*': { contextWindow: 1000 },
        'gpt.*': { input: 2, output: 8 },
        'claude-*': { input: 100, cacheRead: 1 },
      }),
    );
    expect(modelFacts('local-7b')).toEqual({
      input: 0,
      output: 0,
      cacheWrite: 0,
      cacheRead: 0,
      contextWindow: 8192,
      maxOutputTokens: 1024,
    });
    expect(modelFacts('claude-sonnet-5-5')).toEqual({ ...before, contextWindow: 1000 });
    expect(modelFacts('claude-opus-4-5')).toMatchObject({
      input: 100,
      output: 25,
      cacheWrite: 125,
      cacheRead: 1,
    });
    expect(modelFacts('gpt.5').input).toBe(2);
    for (const other of ['local-7b-new', 'gpt-5', 'my-claude-opus'])
      expect(modelFacts(other).input, other).toBeGreaterThan(2);
  });

  it('[AG28] come from a file too, and nothing means nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-prices-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'prices.json');
    await writeFile(file, '{"x": {"input": 7}}');
    knowBetter(readPriceList({ SIGNALBOX_PRICES: file }));
    expect(modelFacts('x').input).toBe(7);
    expect([readPriceList({}), readPriceList({ SIGNALBOX_PRICES: ' ' })]).toEqual([[], []]);
  });

  it('[AG28] that make no sense are explained', () => {
    const read = (text: string) => () => readPriceList({ SIGNALBOX_PRICES: text });
    expect(read('{"x": ')).toThrow('SIGNALBOX_PRICES is not JSON');
    expect(read('nowhere.json')).toThrow('neither a JSON object nor a file that can be read');
    expect(read('{"x": {"inptu": 1}}')).toThrow('is wrong at x.inptu');
    expect(read('{"x": {"input": -1}}')).toThrow('is wrong at x.input');
    expect(read('{"x": {"contextWindow": 0}}')).toThrow('is wrong at x.contextWindow');
    expect(read('{"x": 3}')).toThrow('is wrong at x');
    expect(read('{"x": 3}')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
