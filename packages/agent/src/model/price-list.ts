import { readFileSync } from 'node:fs';
import { messageOf } from '@signalbox/protocol';
import * as z from 'zod/mini';
import { UsageError } from '../base/agent-errors.ts';
import type { KnownFacts } from './prices.ts';

const price = z.optional(z.number().check(z.nonnegative()));
const tokens = z.optional(z.int().check(z.positive()));

const priceList = z.record(
  z.string(),
  z.strictObject({
    input: price,
    output: price,
    cacheWrite: price,
    cacheRead: price,
    contextWindow: tokens,
    maxOutputTokens: tokens,
  }),
);

/** What `SIGNALBOX_PRICES` says about models: JSON, or a file that holds it. Throws `UsageError`. */
export function readPriceList({ SIGNALBOX_PRICES: given = '' }: NodeJS.ProcessEnv): KnownFacts[] {
  if (given.trim() === '') return [];
  const parsed = z.safeParse(priceList, parseJson(textOf(given)));
  if (!parsed.success) throw wrong(`is wrong at ${problemOf(parsed.error.issues[0])}`);
  return Object.entries(parsed.data).map(([name, facts]) => ({ fits: patternOf(name), facts }));
}

/** `*` stands for anything; a name without it is that model and no other. */
function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}

function textOf(given: string): string {
  if (given.trimStart().startsWith('{')) return given;
  try {
    return readFileSync(given, 'utf8');
  } catch (error) {
    throw wrong(`is neither a JSON object nor a file that can be read: ${messageOf(error)}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(`is not JSON: ${messageOf(error)}`);
  }
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  const extra = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  return `${[...(issue?.path ?? []), ...extra].join('.') || 'its top'}: ${issue?.message ?? ''}`;
}

function wrong(problem: string): UsageError {
  return new UsageError(
    `SIGNALBOX_PRICES ${problem}. It is {"model-name*": {"input": 3, "output": 15, "contextWindow": 200000}}; see docs/MODELS.md.`,
  );
}
