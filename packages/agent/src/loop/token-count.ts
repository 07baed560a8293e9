import { isJsonObject, numberAt, textAt } from '@signalbox/protocol';

type Counts = Readonly<Record<string, number>>;

/** Tokens of one reply, or of many. What an API does not say about them is absent, not zero. */
export type TokenCount = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  /** How long what was written to the cache is kept. */
  cache_creation?: Counts;
  server_tool_use?: Counts;
  output_tokens_details?: Counts;
  service_tier?: string;
};

const TOTALS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

/** Counts that come in groups, each of which an API may leave out. */
const GROUPS = ['cache_creation', 'server_tool_use', 'output_tokens_details'] as const;

/** What an API answer says of its tokens. */
export function tokensOf(usage: unknown): TokenCount {
  const tokens = noTokens();
  for (const name of TOTALS) tokens[name] = numberAt(usage, name) ?? 0;
  for (const name of GROUPS) {
    const group = isJsonObject(usage) ? usage[name] : undefined;
    if (!isJsonObject(group)) continue;
    const entries = Object.entries(group).flatMap(([key, value]) =>
      typeof value === 'number' ? [[key, value] as const] : [],
    );
    tokens[name] = Object.fromEntries(entries);
  }
  const tier = textAt(usage, 'service_tier');
  return tier ? { ...tokens, service_tier: tier } : tokens;
}

export function noTokens(): TokenCount {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}

export function addTokens(a: TokenCount, b: TokenCount): TokenCount {
  return combine(a, b, 1);
}

/** What came to a sum since it was `before`. */
export function tokensSince(sum: TokenCount, before: TokenCount): TokenCount {
  return combine(sum, before, -1);
}

/** How much of the model's context a reply filled. */
export function filledContext(tokens: TokenCount): number {
  return TOTALS.reduce((sum, name) => sum + tokens[name], 0);
}

function combine(a: TokenCount, b: TokenCount, sign: 1 | -1): TokenCount {
  const tokens: TokenCount = { ...b, ...a };
  for (const name of TOTALS) tokens[name] = a[name] + sign * b[name];
  for (const name of GROUPS) {
    const [left, right] = [a[name] ?? {}, b[name] ?? {}];
    if (!a[name] && !b[name]) continue;
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    tokens[name] = Object.fromEntries(
      Array.from(keys, (key) => [key, (left[key] ?? 0) + sign * (right[key] ?? 0)]),
    );
  }
  return tokens;
}
