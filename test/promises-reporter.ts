import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { promised, provedBy } from './promises.js';

/** How many numbers a line names; beyond that it counts them. */
const MAX_NAMED = 20;

interface TestOutcome {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/**
 * The two lines that end a run: how many tests passed, and how many of the promises are proven. A promise is proven when a test
 * that carries its number passed and none failed.
 */
export function summary(
  tests: readonly TestOutcome[],
  listed: readonly string[],
  errorsOutside: number,
): string {
  const withState = (state: TestOutcome['state']) => tests.filter((test) => test.state === state);
  const numbers = (state: TestOutcome['state']) =>
    new Set(withState(state).flatMap(({ title }) => provedBy(title)));
  const passed = numbers('passed');
  const failed = numbers('failed');
  const isRun = (number: string) => passed.has(number) || failed.has(number);
  const proven = listed.filter((number) => passed.has(number) && !failed.has(number));
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (state) => `${withState(state).length} ${state}`,
  );
  const parts = [
    `${proven.length} of ${listed.length} proven`,
    ...named(
      'failed',
      listed.filter((number) => failed.has(number)),
    ),
    ...named(
      'not run',
      listed.filter((number) => !isRun(number)),
    ),
    ...(errorsOutside > 0 ? [`${errorsOutside} errors outside of tests`] : []),
  ];
  return `Tests: ${counts.join(', ')}\nPromises: ${parts.join('; ')}`;
}

function named(what: string, numbers: readonly string[]): string[] {
  if (numbers.length === 0) return [];
  return [`${what}: ${numbers.length > MAX_NAMED ? numbers.length : numbers.join(', ')}`];
}

/** Ends the output of a run with the summary; listed after the reporter that shows the tests. */
export default class PromisesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) =>
      Array.from(module.children.allTests(), (test) => ({ title: test.name, state: test.result().state })),
    );
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const errors = suites.flatMap((suite) => suite.errors()).length + unhandled.length;
    process.stdout.write(`\n${summary(tests, promised(), errors)}\n`);
  }
}
