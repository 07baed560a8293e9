/** A JSON object of which only some fields are known. */
export type JsonObject = Record<string, unknown>;

// Messages, inputs and results are whatever an agent, a model or a tool made of them: these read what is there.

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that is a text, else ''. */
export function textAt(value: unknown, name: string): string {
  const field = fieldAt(value, name);
  return typeof field === 'string' ? field : '';
}

/** A field that is a number. */
export function numberAt(value: unknown, name: string): number | undefined {
  const field = fieldAt(value, name);
  return typeof field === 'number' ? field : undefined;
}

/** A field that is a list, else an empty one. */
export function listAt(value: unknown, name: string): readonly unknown[] {
  const field = fieldAt(value, name);
  return Array.isArray(field) ? field : [];
}

/** A field that is an object, else an empty one. */
export function objectAt(value: unknown, name: string): JsonObject {
  const field = fieldAt(value, name);
  return isJsonObject(field) ? field : {};
}

function fieldAt(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
