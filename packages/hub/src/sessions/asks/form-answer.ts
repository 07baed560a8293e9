import { fieldProblem, formFields, type JsonObject } from '@signalbox/protocol';
import { AskAnswerError } from './ask-errors.ts';

/** Raises `ASK_ANSWER_INVALID` when a form of an MCP server was filled in with what it does not have or take. */
export function checkForm({ requested_schema: schema }: JsonObject, content: JsonObject): void {
  const fields = formFields(schema);
  const values = new Map(Object.entries(content));
  for (const field of fields) {
    const problem = fieldProblem(field, values.get(field.name));
    if (problem !== undefined) throw new AskAnswerError(`the field ${field.name} ${problem}`);
    values.delete(field.name);
  }
  for (const name of values.keys()) throw new AskAnswerError(`the form has no field ${name}`);
}
