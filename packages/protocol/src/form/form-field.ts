import { isJsonObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '../json-fields.ts';

const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** What a text has to be, where a form says so. */
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** One of the values that a field takes, and what it is called. */
export interface FormOption {
  value: string;
  title: string;
}

interface AnyField {
  name: string;
  /** What it is called: its name, when the form has no better word. */
  title: string;
  description: string;
  isRequired: boolean;
}

/** A field of a form. Where nothing is said, a limit lets everything through and `initial` is empty. */
export type FormField =
  | (AnyField & {
      kind: 'text';
      format: TextFormat | undefined;
      minLength: number;
      maxLength: number;
      initial: string;
    })
  | (AnyField & {
      kind: 'number';
      isInteger: boolean;
      minimum: number;
      maximum: number;
      initial: number | undefined;
    })
  | (AnyField & { kind: 'flag'; initial: boolean })
  | (AnyField & { kind: 'choice'; options: readonly FormOption[]; initial: string })
  | (AnyField & {
      kind: 'choices';
      options: readonly FormOption[];
      minItems: number;
      maxItems: number;
      initial: readonly string[];
    })
  /** What a newer server asks for is its own to check. */
  | (AnyField & { kind: 'other' });

/** The fields of a form that an MCP server wants filled in: the `requested_schema` of an `elicitation`. */
export function formFields(schema: unknown): FormField[] {
  const required = listAt(schema, 'required');
  return Object.entries(objectAt(schema, 'properties'))
    .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    .map(([name, property]) => fieldOf(name, property, required.includes(name)));
}

function fieldOf(name: string, property: JsonObject, isRequired: boolean): FormField {
  const title = textAt(property, 'title') || name;
  const any: AnyField = { name, title, description: textAt(property, 'description'), isRequired };
  const limit = (key: string, otherwise: number): number => numberAt(property, key) ?? otherwise;
  const { type } = property;
  const options = optionsIn(type === 'array' ? property.items : property);
  if (type === 'number' || type === 'integer') {
    return {
      ...any,
      kind: 'number',
      isInteger: type === 'integer',
      minimum: limit('minimum', -Infinity),
      maximum: limit('maximum', Infinity),
      initial: numberAt(property, 'default'),
    };
  }
  if (type === 'boolean') return { ...any, kind: 'flag', initial: property.default === true };
  if (type === 'array' && options.length > 0) {
    return {
      ...any,
      kind: 'choices',
      options,
      minItems: limit('minItems', 0),
      maxItems: limit('maxItems', Infinity),
      initial: listAt(property, 'default').filter((value) => typeof value === 'string'),
    };
  }
  if (options.length > 0) return { ...any, kind: 'choice', options, initial: textAt(property, 'default') };
  if (type !== 'string') return { ...any, kind: 'other' };
  return {
    ...any,
    kind: 'text',
    format: TEXT_FORMATS.find((format) => format === property.format),
    minLength: limit('minLength', 0),
    maxLength: limit('maxLength', Infinity),
    initial: textAt(property, 'default'),
  };
}

/** The protocol has had three ways to say this: bare values, names beside them, and pairs. */
function optionsIn(property: unknown): FormOption[] {
  const pairs = [...listAt(property, 'oneOf'), ...listAt(property, 'anyOf')].filter(isJsonObject);
  const names = listAt(property, 'enumNames');
  const bare = listAt(property, 'enum').map((value, index) => ({ const: value, title: names[index] }));
  return [...pairs, ...bare].flatMap((pair) => {
    const value = pair.const;
    return typeof value === 'string' ? [{ value, title: textAt(pair, 'title') || value }] : [];
  });
}
