import { isJsonObject, textAt } from '@signalbox/protocol';

/** A place where two accounts of the same story are not the same. */
export interface Difference {
  /** `turns.edit.tools.0.title` */
  readonly path: string;
  readonly wanted: unknown;
  readonly actual: unknown;
}

/** Every place where `actual` is not `wanted`, field by field; a missing field is `undefined`. */
export function differencesOf(wanted: unknown, actual: unknown, path = ''): Difference[] {
  const [left, right] = [fields(wanted), fields(actual)];
  if (!left || !right) return Object.is(wanted, actual) ? [] : [{ path, wanted, actual }];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    differencesOf(left.get(key), right.get(key), path ? `${path}.${key}` : key),
  );
}

/** What names the entries of a list, so that one entry more does not make all the others differ. */
const NAMES = ['id', 'value', 'modelId', 'optionId', 'name'];

function fields(value: unknown): Map<string, unknown> | undefined {
  if (isJsonObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  for (const name of NAMES) {
    const named = new Map(value.map((entry) => [textAt(entry, name), entry]));
    if (named.size === value.length && !named.has('')) return named;
  }
  return new Map(Object.entries(value));
}
