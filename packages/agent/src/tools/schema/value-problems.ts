import { type JsonObject, sameJson } from '@signalbox/protocol';
import { typeOf } from './json-value.ts';

/** What is wrong with a value by itself: its type, its size, its form. Each text goes on after the value's name. */
export function valueProblems(value: unknown, schema: JsonObject): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  const { type, const: only, enum: options } = schema;
  if (type !== undefined) {
    const actual = typeOf(value);
    const types = [type].flat().map(String);
    const fits = types.includes(actual) || (actual === 'integer' && types.includes('number'));
    demand(fits, `must be ${types.join(' or ')}, not ${actual}`);
  }
  if (Array.isArray(options)) {
    demand(
      options.some((option) => sameJson(option, value)),
      `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`,
    );
  }
  if (Object.hasOwn(schema, 'const')) demand(sameJson(only, value), `must be ${JSON.stringify(only)}`);
  if (typeof value === 'number') numberDemands(value, schema, demand);
  if (typeof value === 'string') stringDemands(value, schema, demand);
  return problems;
}

type Demand = (holds: boolean, problem: string) => void;

function numberDemands(value: number, schema: JsonObject, demand: Demand): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number') demand(value >= minimum, `must be at least ${minimum}`);
  if (typeof maximum === 'number') demand(value <= maximum, `must be at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number')
    demand(value > exclusiveMinimum, `must be more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number')
    demand(value < exclusiveMaximum, `must be less than ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number') {
    const ratio = value / multipleOf;
    // 0.3 is a multiple of 0.1, though not in binary.
    demand(Math.abs(ratio - Math.round(ratio)) < 1e-9, `must be a multiple of ${multipleOf}`);
  }
}

function stringDemands(value: string, schema: JsonObject, demand: Demand): void {
  const { minLength, maxLength, pattern } = schema;
  const length = Array.from(value).length;
  if (typeof minLength === 'number')
    demand(length >= minLength, `must have at least ${minLength} characters`);
  if (typeof maxLength === 'number') demand(length <= maxLength, `must have at most ${maxLength} characters`);
  if (typeof pattern === 'string') demand(new RegExp(pattern, 'u').test(value), `must match ${pattern}`);
}
