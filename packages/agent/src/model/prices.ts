/** What a model costs, in US dollars for a million tokens, and how much it can take. */
export interface ModelFacts {
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
  contextWindow: number;
  maxOutputTokens: number;
}

/** What somebody knows about the models whose names fit. */
export interface KnownFacts {
  readonly fits: RegExp;
  readonly facts: { readonly [Name in keyof ModelFacts]?: ModelFacts[Name] | undefined };
}

function facts(input: number, output: number, more: Partial<ModelFacts> = {}): ModelFacts {
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
  ['fable', facts(8, 40, { ...LARGE, cacheRead: 0.2 })],
  ['opus-5', facts(4, 20, { ...LARGE, cacheRead: 0.2 })],
  ['sonnet-5', facts(2, 10, { ...LARGE, cacheRead: 0.1 })],
  ['haiku-5', facts(0.1, 0.5, LARGE)],
  ['3-5-haiku', facts(0.8, 4, { maxOutputTokens: 8192 })],
  ['haiku', facts(1, 5)],
  ['sonnet', facts(3, 15)],
  ['opus', facts(5, 25)],
];

const UNKNOWN_MODEL = facts(3, 15);

/** What the user of this process knows better. */
let given: readonly KnownFacts[] = [];

/** Short names that hosts and people use. */
const ALIASES: Readonly<Record<string, string>> = {
  default: 'claude-sonnet-5-5',
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
};

export const DEFAULT_MODEL = 'default';

/** Who is asked, in the protocol's words: the Messages API itself, wherever its address leads. */
export const MODEL_PROVIDER = 'firstParty';

export function fullModelName(name: string): string {
  return ALIASES[name] ?? name;
}

/** The model for small questions beside the conversation. */
export function smallModel({ ANTHROPIC_SMALL_FAST_MODEL: name }: NodeJS.ProcessEnv): string {
  return fullModelName(name || 'haiku');
}

/** From now on, take these facts before the built-in ones; the first that fit count. */
export function knowBetter(known: readonly KnownFacts[]): void {
  given = known;
}

/** A model's name without who serves it, the day of its release and the like. */
export function canonicalName(model: string): string {
  const [name = model] = /claude-.*/.exec(model) ?? [];
  return name.replace(/[-@]20\d{6}.*$|\[.*\]$/, '');
}

/** Whether what a model costs is known; else it is taken for one of a middle size. */
export function isPriced(model: string): boolean {
  return (
    BY_FAMILY.some(([family]) => model.includes(family)) ||
    given.some(({ fits, facts: { input } }) => input !== undefined && fits.test(model))
  );
}

export function modelFacts(model: string): ModelFacts {
  const built = BY_FAMILY.find(([family]) => model.includes(family))?.[1] ?? UNKNOWN_MODEL;
  const better = given.find(({ fits }) => fits.test(model))?.facts;
  return better ? withFacts(built, better) : built;
}

/** Prices of the cache follow the price of the input, unless they are said too. */
function withFacts(built: ModelFacts, better: KnownFacts['facts']): ModelFacts {
  const priced = facts(better.input ?? built.input, better.output ?? built.output);
  const cache = better.input === undefined ? built : priced;
  return {
    ...priced,
    cacheWrite: better.cacheWrite ?? cache.cacheWrite,
    cacheRead: better.cacheRead ?? cache.cacheRead,
    contextWindow: better.contextWindow ?? built.contextWindow,
    maxOutputTokens: better.maxOutputTokens ?? built.maxOutputTokens,
  };
}
