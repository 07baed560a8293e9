import { inspect } from 'node:util';

/** An agent behaved in another way than the scenario says. */
export class Mismatch extends Error {}

/** Stops the scenario with `what` unless the condition holds. */
export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Mismatch(what);
}

/**
 * Stops the scenario unless `actual` has at least what `wanted` shows: objects may have more fields, a string may be
 * described by a regular expression, lists have the same length.
 */
export function checkFits(actual: unknown, wanted: unknown, what = 'it'): void {
  const difference = differenceBetween(actual, wanted, what);
  if (difference !== undefined) throw new Mismatch(difference);
}

function differenceBetween(actual: unknown, wanted: unknown, path: string): string | undefined {
  const other = `${path} is ${show(actual)}, not ${show(wanted)}`;
  if (wanted instanceof RegExp) return typeof actual === 'string' && wanted.test(actual) ? undefined : other;
  if (typeof wanted !== 'object' || wanted === null) return Object.is(actual, wanted) ? undefined : other;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(wanted))
    return other;
  if (Array.isArray(actual) && Array.isArray(wanted) && actual.length !== wanted.length) return other;
  const fields = new Map(Object.entries(actual));
  for (const [key, value] of Object.entries(wanted)) {
    const difference = differenceBetween(fields.get(key), value, `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const SHOWN_CHARS = 300;

function show(value: unknown): string {
  const text = inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY });
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
