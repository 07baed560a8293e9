/** What a model costs, in US dollars for a million tokens, and how much it can take. */
export interface ModelFacts {
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
  contextWindow: number;
  maxOutputTokens: number;
}

function facts(
  input: number,
  output: number,
  limits: { contextWindow?: number; maxOutputTokens?: number } = {},
): ModelFacts {
  return {
    input,
    output,
    cacheWrite: input * 1.25,
    cacheRead: input / 10,
    contextWindow: limits.contextWindow ?? 200_000,
    maxOutputTokens: limits.maxOutputTokens ?? 64_000,
  };
}

/** By what a model's name contains; the first that fits counts. */
const BY_FAMILY: readonly (readonly [string, ModelFacts])[] = [
  ['opus-5', facts(4, 20, { contextWindow: 1_000_000, maxOutputTokens: 128_000 })],
  ['haiku', facts(1, 5)],
  ['sonnet', facts(3, 15)],
  ['opus', facts(5, 25)],
];

const UNKNOWN_MODEL = facts(3, 15);

/** Short names that hosts and people use. */
const ALIASES: Readonly<Record<string, string>> = {
  default: 'claude-sonnet-5-5',
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
};

export const DEFAULT_MODEL = 'default';

export function fullModelName(name: string): string {
  return ALIASES[name] ?? name;
}

export function modelFacts(model: string): ModelFacts {
  return BY_FAMILY.find(([family]) => model.includes(family))?.[1] ?? UNKNOWN_MODEL;
}
