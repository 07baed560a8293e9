import { isJsonObject, type JsonObject, messageOf, SignalboxError, sameJson } from '@signalbox/protocol';
import { containerProblems } from './container-problems.ts';
import { TYPES } from './json-value.ts';
import { valueProblems } from './value-problems.ts';

/** How deep a schema may lead into itself before it is taken for a loop. */
const MAX_SCHEMA_DEPTH = 200;

/** How many problems of a value are told. */
const MAX_PROBLEMS = 20;

/** Where a schema has other schemas in it: as a map, as a list, or as itself. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const PARTS = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'];

/** A JSON Schema that cannot be used. */
export class JsonSchemaError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('JSON_SCHEMA_INVALID', `The JSON Schema cannot be used: ${message}`, { cause });
  }
}

/** Tells what is wrong with a value; `path` is where it is in the whole. */
export type SchemaCheck = (value: unknown, schema: unknown, path: string) => string[];

/**
 * A function that tells what is wrong with a value, by the keywords of JSON Schema in common use; `format` and other
 * annotations say nothing. Throws {@link JsonSchemaError} for a schema that is wrong itself.
 */
export function compileSchema(root: JsonObject): (value: unknown) => string[] {
  if (root.type !== undefined && root.type !== 'object')
    throw new JsonSchemaError('its type must be "object"');
  assertUsable(root, root, '#');
  return (value) => checkAt(root, 0)(value, root, '').slice(0, MAX_PROBLEMS);
}

function checkAt(root: JsonObject, depth: number): SchemaCheck {
  return (value, schema, path) => {
    if (schema === false) return [`${nameOf(path)} is not allowed`];
    if (!isJsonObject(schema)) return [];
    if (depth > MAX_SCHEMA_DEPTH) throw new JsonSchemaError('it refers to itself without end');
    const check = checkAt(root, depth + 1);
    return [
      ...(typeof schema.$ref === 'string' ? check(value, lookUp(schema.$ref, root), path) : []),
      ...valueProblems(value, schema).map((problem) => `${nameOf(path)} ${problem}`),
      ...containerProblems(value, schema, path, check),
      ...combinedProblems(value, schema, path, check),
    ];
  };
}

function combinedProblems(value: unknown, schema: JsonObject, path: string, check: SchemaCheck): string[] {
  const problems: string[] = [];
  const fits = (part: unknown): boolean => check(value, part, path).length === 0;
  if (Array.isArray(schema.allOf)) problems.push(...schema.allOf.flatMap((part) => check(value, part, path)));
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(fits)) {
    const closest = schema.anyOf
      .map((part) => check(value, part, path))
      .toSorted((a, b) => a.length - b.length)[0];
    problems.push(`${nameOf(path)} fits none of the alternatives`, ...(closest ?? []));
  }
  if (Array.isArray(schema.oneOf)) {
    const count = schema.oneOf.filter(fits).length;
    if (count !== 1) problems.push(`${nameOf(path)} must fit exactly one alternative, but fits ${count}`);
  }
  if (schema.not !== undefined && fits(schema.not))
    problems.push(`${nameOf(path)} is of a kind that is not allowed`);
  if (schema.if !== undefined)
    problems.push(...check(value, fits(schema.if) ? schema.then : schema.else, path));
  return problems;
}

/** Everything that could only fail later, once a value is there, fails now. */
function assertUsable(schema: unknown, root: JsonObject, place: string): void {
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) throw new JsonSchemaError(`${place} must be an object or a boolean`);
  const unknownType = [schema.type ?? []]
    .flat()
    .find((type) => !TYPES.some((known) => sameJson(known, type)));
  if (unknownType !== undefined)
    throw new JsonSchemaError(`${place} has the unknown type ${JSON.stringify(unknownType)}`);
  if (typeof schema.$ref === 'string') lookUp(schema.$ref, root);
  if (typeof schema.pattern === 'string') assertPattern(schema.pattern, place);
  for (const pattern of Object.keys(Object(schema.patternProperties))) assertPattern(pattern, place);
  for (const key of MAPS) {
    for (const [name, part] of Object.entries(Object(schema[key])))
      assertUsable(part, root, `${place}/${key}/${name}`);
  }
  for (const key of [...LISTS, ...PARTS]) {
    const part = schema[key];
    if (Array.isArray(part)) part.forEach((one, at) => assertUsable(one, root, `${place}/${key}/${at}`));
    else if (part !== undefined) assertUsable(part, root, `${place}/${key}`);
  }
}

function assertPattern(pattern: string, place: string): void {
  try {
    RegExp(pattern, 'u');
  } catch (error) {
    throw new JsonSchemaError(`${place} has a wrong pattern: ${messageOf(error)}`, error);
  }
}

/** What a reference inside of the same schema means. */
function lookUp(reference: string, root: JsonObject): unknown {
  if (!/^#(?:\/|$)/.test(reference))
    throw new JsonSchemaError(`${reference} is not a reference inside of it`);
  let found: unknown = root;
  for (const step of decodeURIComponent(reference).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Object.hasOwn(Object(found), key) ? Object(found)[key] : undefined;
  }
  if (found === undefined) throw new JsonSchemaError(`${reference} leads nowhere`);
  return found;
}

function nameOf(path: string): string {
  return path === '' ? 'the value' : `\`${path}\``;
}
