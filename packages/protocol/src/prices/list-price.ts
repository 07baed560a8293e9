/** What a model costs, in US dollars for a million tokens, and how much it can take. */
export interface ModelFacts {
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
  contextWindow: number;
  maxOutputTokens: number;
}

/** Prices of the cache follow the price of the input, unless they are said too. */
export function modelFactsOf(input: number, output: number, more: Partial<ModelFacts> = {}): ModelFacts {
  return {
    input,
    output,
    cacheWrite: input * 1.25,
    cacheRead: input / 10,
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    ...more,
  };
}

const LARGE = { contextWindow: 1_000_000, maxOutputTokens: 128_000 };

/** By what a model's name contains; the first that fits counts. */
const BY_FAMILY: readonly (readonly [string, ModelFacts])[] = [
  ['fable', modelFactsOf(8, 40, { ...LARGE, cacheRead: 0.2 })],
  ['opus-5', modelFactsOf(4, 20, { ...LARGE, cacheRead: 0.2 })],
  ['sonnet-5', modelFactsOf(2, 10, { ...LARGE, cacheRead: 0.1 })],
  ['haiku-5', modelFactsOf(0.1, 0.5, LARGE)],
  ['3-5-haiku', modelFactsOf(0.8, 4, { maxOutputTokens: 8192 })],
  ['haiku', modelFactsOf(1, 5)],
  ['sonnet', modelFactsOf(3, 15)],
  ['opus', modelFactsOf(5, 25)],
];

/** What the makers of a model ask for it; undefined for one that nobody here knows. */
export function listPrice(model: string): ModelFacts | undefined {
  return BY_FAMILY.find(([family]) => model.includes(family))?.[1];
}
