import type { JsonObject } from '@signalbox/protocol';
import { Mismatch } from '../check.ts';
import { fieldPaths } from './field-paths.ts';

/** Why fields that match a pattern may differ. */
export type Reasons = Readonly<Record<string, string>>;

/** Fields that one wire has and the other has not, each with its reason. */
export interface AcceptedFields {
  /** What ours does not say. */
  readonly lacking: Reasons;
  /** What only ours says. */
  readonly added: Reasons;
}

/**
 * Throws when ours lacks or adds a field without a reason, and when a reason is for nothing any more: the list is what a
 * host can rely on.
 */
export function compareFields(
  theirs: readonly JsonObject[],
  ours: readonly JsonObject[],
  { lacking, added }: AcceptedFields,
): void {
  const [wanted, actual] = [pathsOf(theirs), pathsOf(ours)];
  const problems = [
    ...unexplained(without(wanted, actual), lacking).map((path) => `ours lacks ${path}`),
    ...unexplained(without(actual, wanted), added).map((path) => `only ours says ${path}`),
    ...stale(without(wanted, actual), lacking).map((pattern) => `ours lacks nothing like ${pattern}`),
    ...stale(without(actual, wanted), added).map((pattern) => `ours adds nothing like ${pattern}`),
  ];
  if (problems.length > 0) throw new Mismatch(problems.join('\n'));
}

function pathsOf(messages: readonly JsonObject[]): Set<string> {
  return new Set(messages.flatMap(fieldPaths));
}

function without(paths: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...paths].filter((path) => !others.has(path)).toSorted();
}

function unexplained(paths: readonly string[], reasons: Reasons): string[] {
  const patterns = Object.keys(reasons).map(patternOf);
  return paths.filter((path) => !patterns.some((pattern) => pattern.test(path)));
}

function stale(paths: readonly string[], reasons: Reasons): string[] {
  return Object.keys(reasons).filter((source) => !paths.some((path) => patternOf(source).test(path)));
}

/** A reason for a field holds for all below it. */
function patternOf(source: string): RegExp {
  return new RegExp(`^(?:${source})(?:[.[].*)?$`);
}
