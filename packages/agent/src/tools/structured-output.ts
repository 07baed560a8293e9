import type { JsonObject } from '@signalbox/protocol';
import { ToolInputError } from '../base/tool-failure.ts';
import { compileSchema } from './schema/json-schema.ts';
import type { Tool } from './tool.ts';

/** What the tool says once the value has been taken. */
const TAKEN = 'Structured output provided successfully';

/**
 * The tool by which the model hands over a value of a given JSON Schema. Throws {@link JsonSchemaError} when the
 * schema itself is wrong, and {@link ToolInputError} for a value that does not fit.
 */
export function structuredOutputTool(schema: JsonObject, onValue: (value: JsonObject) => void): Tool {
  const problemsOf = compileSchema(schema);
  return {
    name: 'StructuredOutput',
    description:
      'Hand over the final answer in the structure that was asked for. Call it exactly once, at the end, with the whole answer as its input.',
    isReadOnly: true,
    isEdit: false,
    needsPerson: false,
    inputSchema: () => ({ ...schema, type: 'object' }),
    fromModel: (input) => input,
    paths: () => [],
    run(input) {
      const problems = problemsOf(input);
      if (problems.length > 0) return Promise.reject(new ToolInputError('StructuredOutput', problems));
      onValue(input);
      return Promise.resolve({ content: TAKEN, structured: TAKEN });
    },
  };
}
