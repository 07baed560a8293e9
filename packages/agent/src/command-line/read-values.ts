import { isJsonObject, parseJson } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';

/** One of the names, or an error that lists them. */
export function oneOf<const T extends string>(flag: string, names: readonly T[], value: string): T {
  const found = names.find((name) => name === value);
  if (found === undefined)
    throw new UsageError(`${flag} must be one of ${names.join(', ')}; it is "${value}".`);
  return found;
}

export function positiveInteger(flag: string, value: string | undefined, least = 1): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(`${flag} must be a whole number from ${least} on; it is "${value}".`);
}

export function positiveNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
  throw new UsageError(`${flag} must be a number above 0; it is "${value}".`);
}

export function uuid(flag: string, value: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return value;
  throw new UsageError(`${flag} must be a UUID; it is "${value}".`);
}

export function jsonObject(flag: string, value: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = parseJson(value);
  } catch {
    throw new UsageError(`${flag} must be a JSON object; it is not JSON.`);
  }
  if (isJsonObject(parsed)) return parsed;
  throw new UsageError(`${flag} must be a JSON object.`);
}

/** Names, given one by one or in one value with commas or spaces. */
export function wordList(values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => value.split(/[\s,]+/)).filter(Boolean);
}

/** Rules, given one by one or in one value with commas or spaces outside of their parentheses. */
export function ruleList(values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap(splitRules);
}

function splitRules(value: string): string[] {
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const character of value) {
    if (depth === 0 && /[\s,]/.test(character)) {
      rules.push(rule);
      rule = '';
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    rule += character;
  }
  return [...rules, rule].filter(Boolean);
}
