import { isJsonObject, type JsonObject, listPrice, numberAt, objectAt } from '@signalbox/protocol';
import { MOST_TOKENS, MOST_USD } from '@signalbox/protocol/hub';
import type { Use } from '../store/spend.ts';

export const NO_USE: Use = { usd: 0, input: 0, output: 0, cacheWrite: 0, cacheRead: 0 };

const NAMES = ['usd', 'input', 'output', 'cacheWrite', 'cacheRead'] as const;

/** What budgets count: what is read from the cache is in every reply again, and costs a tenth. */
export function tokensOf({ input, output, cacheWrite }: Use): number {
  return input + output + cacheWrite;
}

function combined(one: Use, other: Use, join: (a: number, b: number) => number): Use {
  const use = { ...NO_USE };
  for (const name of NAMES) use[name] = join(one[name], other[name]);
  return use;
}

export function plus(one: Use, other: Use): Use {
  return combined(one, other, (a, b) => a + b);
}

export function minus(one: Use, other: Use): Use {
  return combined(one, other, (a, b) => a - b);
}

/** The greater of each. */
export function most(one: Use, other: Use): Use {
  return combined(one, other, Math.max);
}

/** What a correction takes back. */
export function losses(use: Use): Use {
  return combined(use, NO_USE, Math.min);
}

export function isNothing(use: Use): boolean {
  return NAMES.every((name) => use[name] === 0);
}

/** What a reply says that it used, at list prices. */
export function useOfReply(usage: JsonObject, model: string, least: { output: number }): Use {
  const tokens = {
    input: tokensAt(usage, 'input_tokens'),
    output: Math.max(tokensAt(usage, 'output_tokens'), least.output),
    cacheWrite: tokensAt(usage, 'cache_creation_input_tokens'),
    cacheRead: tokensAt(usage, 'cache_read_input_tokens'),
  };
  const price = listPrice(model);
  if (!price) return { usd: 0, ...tokens };
  const millionths =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cacheWrite * price.cacheWrite +
    tokens.cacheRead * price.cacheRead;
  return { usd: millionths / 1_000_000, ...tokens };
}

/** What an agent says that it used, by model (`modelUsage`); undefined when it does not. */
export function usesIn(result: JsonObject, name: string): [model: string, use: Use][] | undefined {
  if (!isJsonObject(result[name])) return undefined;
  return Object.entries(objectAt(result, name)).map(([model, said]) => {
    const use: Use = {
      // What nobody knows the price of has one that was made up.
      usd: isJsonObject(said) && said['costBasis'] === 'unknown' ? 0 : usdAt(said, 'costUSD'),
      input: tokensAt(said, 'inputTokens'),
      output: tokensAt(said, 'outputTokens'),
      cacheWrite: tokensAt(said, 'cacheCreationInputTokens'),
      cacheRead: tokensAt(said, 'cacheReadInputTokens'),
    };
    return [model, use];
  });
}

/** As it was kept. */
export function keptUse(kept: unknown): Use {
  const use = { ...NO_USE };
  for (const name of NAMES) use[name] = numberAt(kept, name) ?? 0;
  return use;
}

export function usdAt(value: unknown, name: string): number {
  return sane(numberAt(value, name), MOST_USD);
}

function tokensAt(value: unknown, name: string): number {
  return Math.round(sane(numberAt(value, name), MOST_TOKENS));
}

/** An agent may say anything: what is no amount counts as none. */
function sane(value: number | undefined, limit: number): number {
  return value !== undefined && value > 0 ? Math.min(value, limit) : 0;
}
