import { isJsonObject, type JsonObject } from '@signalbox/protocol';

// Messages, inputs and results are whatever an agent made of them: these read what is there.

/** A field that is a text, else ''. */
export function textAt(value: unknown, name: string): string {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === 'string' ? field : '';
}

/** A field that is a number. */
export function numberAt(value: unknown, name: string): number | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === 'number' ? field : undefined;
}

/** A field that is a list, else an empty one. */
export function listAt(value: unknown, name: string): readonly unknown[] {
  const field = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(field) ? field : [];
}

/** A field that is an object, else an empty one. */
export function objectAt(value: unknown, name: string): JsonObject {
  const field = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(field) ? field : {};
}
