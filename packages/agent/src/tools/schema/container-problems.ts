import { isJsonObject, type JsonObject, sameJson } from '@signalbox/protocol';
import type { SchemaCheck } from './json-schema.ts';

/** What is wrong with an array or an object, and with what it holds. */
export function containerProblems(
  value: unknown,
  schema: JsonObject,
  path: string,
  check: SchemaCheck,
): string[] {
  if (Array.isArray(value)) return arrayProblems(value, schema, path, check);
  return isJsonObject(value) ? objectProblems(value, schema, path, check) : [];
}

function objectProblems(value: JsonObject, schema: JsonObject, path: string, check: SchemaCheck): string[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const patterns = Object.entries(isJsonObject(schema.patternProperties) ? schema.patternProperties : {});
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = Object.keys(value);
  return [
    ...required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `\`${join(path, name)}\` is missing`),
    ...sizeProblems(names.length, path, schema.minProperties, schema.maxProperties, 'properties'),
    ...names.flatMap((name) => {
      const parts = [
        ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
        ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, part]) => part),
      ];
      const whole = parts.length > 0 ? parts : [schema.additionalProperties];
      return [
        ...check(name, schema.propertyNames, join(path, name)),
        ...whole.flatMap((part) => check(value[name], part, join(path, name))),
      ];
    }),
  ];
}

function arrayProblems(
  value: readonly unknown[],
  schema: JsonObject,
  path: string,
  check: SchemaCheck,
): string[] {
  // Older drafts have the list of the first items' schemas in `items`, and the others' in `additionalItems`.
  const first = [schema.prefixItems, schema.items].find((part) => Array.isArray(part)) ?? [];
  const others = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  const isDouble = (item: unknown, at: number): boolean =>
    value.findIndex((other) => sameJson(other, item)) < at;
  const hasWanted =
    schema.contains === undefined || value.some((item) => check(item, schema.contains, path).length === 0);
  return [
    ...sizeProblems(value.length, path, schema.minItems, schema.maxItems, 'items'),
    ...(schema.uniqueItems === true && value.some(isDouble) ? [`\`${path}\` has an item twice`] : []),
    ...(hasWanted ? [] : [`\`${path}\` lacks an item that it must contain`]),
    ...value.flatMap((item, at) =>
      check(item, at < first.length ? first[at] : others, join(path, String(at))),
    ),
  ];
}

function sizeProblems(size: number, path: string, min: unknown, max: unknown, what: string): string[] {
  return [
    ...(typeof min === 'number' && size < min ? [`\`${path}\` must have at least ${min} ${what}`] : []),
    ...(typeof max === 'number' && size > max ? [`\`${path}\` must have at most ${max} ${what}`] : []),
  ];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
