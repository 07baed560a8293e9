import { listPrice, type ModelFacts, modelFactsOf } from '@signalbox/protocol';

/** What somebody knows about the models whose names fit. */
export interface KnownFacts {
  readonly fits: RegExp;
  readonly facts: { readonly [Name in keyof ModelFacts]?: ModelFacts[Name] | undefined };
}

const UNKNOWN_MODEL = modelFactsOf(3, 15);

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
    listPrice(model) !== undefined ||
    given.some(({ fits, facts: { input } }) => input !== undefined && fits.test(model))
  );
}

export function modelFacts(model: string): ModelFacts {
  const built = listPrice(model) ?? UNKNOWN_MODEL;
  const better = given.find(({ fits }) => fits.test(model))?.facts;
  return better ? withFacts(built, better) : built;
}

/** Prices of the cache follow the price of the input, unless they are said too. */
function withFacts(built: ModelFacts, better: KnownFacts['facts']): ModelFacts {
  const priced = modelFactsOf(better.input ?? built.input, better.output ?? built.output);
  const cache = better.input === undefined ? built : priced;
  return {
    ...priced,
    cacheWrite: better.cacheWrite ?? cache.cacheWrite,
    cacheRead: better.cacheRead ?? cache.cacheRead,
    contextWindow: better.contextWindow ?? built.contextWindow,
    maxOutputTokens: better.maxOutputTokens ?? built.maxOutputTokens,
  };
}
