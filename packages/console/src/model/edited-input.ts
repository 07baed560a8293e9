import { isJsonObject, type JsonObject, parseJson } from '@signalbox/protocol';
import { t } from '../words/t.ts';

/** A field of a call's input, as somebody edits it. */
export interface InputField {
  name: string;
  /** Words are edited as they are, all else as JSON. */
  kind: 'text' | 'json';
  text: string;
}

export function fieldsOf(input: JsonObject): InputField[] {
  return Object.entries(input).map(([name, value]) =>
    typeof value === 'string'
      ? { name, kind: 'text', text: value }
      : { name, kind: 'json', text: JSON.stringify(value, null, 2) },
  );
}

/** The input that the fields make, or what is wrong with one of them. */
export function inputOf(fields: readonly InputField[]): { input: JsonObject } | { problem: string } {
  const entries: [string, unknown][] = [];
  for (const { name, kind, text } of fields) {
    if (kind === 'text') entries.push([name, text]);
    else
      try {
        entries.push([name, parseJson(text)]);
      } catch {
        return { problem: t.model.noJson(name) };
      }
  }
  const input: unknown = Object.fromEntries(entries);
  return isJsonObject(input) ? { input } : { problem: t.model.noInput };
}
