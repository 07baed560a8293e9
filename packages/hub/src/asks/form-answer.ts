import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { AskAnswerError } from './ask-errors.ts';

/** Raises `ASK_ANSWER_INVALID` when a form of an MCP server was filled in with what it does not have or take. */
export function checkForm({ requested_schema: schema }: JsonObject, content: JsonObject): void {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return;
  const { properties, required } = schema;
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && content[name] === undefined)
      throw new AskAnswerError(`the field ${name} is missing`);
  }
  for (const [name, value] of Object.entries(content)) {
    const field = properties[name];
    if (!isJsonObject(field)) throw new AskAnswerError(`the form has no field ${name}`);
    if (!fits(field.type, value)) throw new AskAnswerError(`the field ${name} takes a ${String(field.type)}`);
    if (Array.isArray(field.enum) && !field.enum.includes(value))
      throw new AskAnswerError(`the field ${name} is one of ${field.enum.join(', ')}`);
  }
}

/** Forms have fields of these types only; what a newer server adds is its own to check. */
function fits(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    default:
      return true;
  }
}
