import * as z from 'zod/mini';
import { isJsonObject } from '../json-fields.ts';

type Payload = z.core.ParsePayload;
type Schema = z.core.$ZodType;

// Only the first problem is kept: a peer that sends a million wrong items must not cost us a million issues.

/** Whether `value` fits; if not, its first issue is added, found at `path`. */
export function fits(payload: Payload, schema: Schema, value: unknown, path: PropertyKey[] = []): boolean {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue) payload.issues.push({ ...issue, path: [...path, ...issue.path], input: undefined });
  return issue === undefined;
}

/** Whether `value` is a JSON object; if not, an issue says so. */
export function isObject(payload: Payload, value: unknown): value is Record<string, unknown> {
  if (isJsonObject(value)) return true;
  payload.issues.push({ code: 'invalid_type', expected: 'object', input: value });
  return false;
}

export function objectSchema() {
  return z.custom<Record<string, unknown>>().check((payload) => {
    isObject(payload, payload.value);
  });
}

export function listSchema<T extends Schema>(item: T) {
  return z.custom<z.infer<T>[]>().check((payload) => {
    const input: unknown = payload.value;
    if (Array.isArray(input)) input.every((value, index) => fits(payload, item, value, [index]));
    else payload.issues.push({ code: 'invalid_type', expected: 'array', input });
  });
}

export function mapSchema<T extends Schema>(entry: T) {
  return z.custom<Record<string, z.infer<T>>>().check((payload) => {
    const input: unknown = payload.value;
    if (isObject(payload, input)) Object.keys(input).every((key) => fits(payload, entry, input[key], [key]));
  });
}
