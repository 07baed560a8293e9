import { readFile, stat } from 'node:fs/promises';
import { ScenarioError, ScenarioNotFoundError, ScenarioTooLargeError } from '../errors.ts';
import { demo } from './demo.ts';
import { didYouMean } from './did-you-mean.ts';
import { explain } from './explain.ts';
import { puppet } from './puppet.ts';
import {
  type Fault,
  faultSchema,
  SCENARIO_KEYS,
  type Scenario,
  type ScenarioInput,
  scenarioSchema,
} from './schema.ts';
import { welcome } from './welcome.ts';

/** The largest scenario file that is read or written. */
export const SCENARIO_BYTES_LIMIT = 32 * 1024 * 1024;

const BUILT_IN: readonly ScenarioInput[] = [demo, puppet, welcome];

/** A built-in scenario, for a list to choose from. */
export interface ScenarioSummary {
  readonly name: string;
  readonly description: string;
}

/** The scenarios that come with the model. */
export function listScenarios(): ScenarioSummary[] {
  return BUILT_IN.map(({ name, description = '' }) => ({ name, description }));
}

/** Checks a scenario written as an object; `source` is the name it has in errors. */
export function defineScenario(input: ScenarioInput, source = `scenario "${input.name}"`): Scenario {
  return checkScenario(input, source);
}

function checkScenario(input: unknown, source: string): Scenario {
  const result = scenarioSchema.safeParse(input);
  if (result.success) return result.data;
  throw new ScenarioError(source, explain(result.error.issues, SCENARIO_KEYS));
}

/** Checks a fault that came from outside a scenario. */
export function checkFault(input: unknown): Fault {
  const result = faultSchema.safeParse(input);
  if (result.success) return result.data;
  throw new ScenarioError('the fault', explain(result.error.issues, SCENARIO_KEYS));
}

async function readScenarioFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > SCENARIO_BYTES_LIMIT) throw new ScenarioTooLargeError(path, size, SCENARIO_BYTES_LIMIT);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof ScenarioTooLargeError) throw error;
    const names = BUILT_IN.map(({ name }) => name);
    const hint = didYouMean(path, names) || `; the built-in ones are ${names.join(', ')}`;
    throw new ScenarioNotFoundError(path, hint, error);
  }
}

/** A built-in scenario by its name, or the one in a JSON file. */
export async function loadScenario(nameOrPath: string): Promise<Scenario> {
  const builtIn = BUILT_IN.find(({ name }) => name === nameOrPath);
  if (builtIn) return defineScenario(builtIn);
  const text = await readScenarioFile(nameOrPath);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const message = `expected JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw new ScenarioError(nameOrPath, [{ path: '', message }], error);
  }
  return checkScenario(json, nameOrPath);
}
