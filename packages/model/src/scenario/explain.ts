import type * as z from 'zod';
import type { ScenarioProblem } from '../errors.ts';
import { didYouMean } from './did-you-mean.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function pathText(path: Path): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    '',
  );
}

const isMissing = (issue: Issue) => issue.message.endsWith('received undefined');

/** A branch of a union that this value was never meant for: another kind of value, or without its telling key. */
function isOtherBranch(branch: readonly Issue[]): boolean {
  return branch.some(
    (issue) =>
      (issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) ||
      (issue.path.length === 1 && isMissing(issue)),
  );
}

function unknownKey(key: string, known: readonly string[]): string {
  return known.includes(key)
    ? `key "${key}" does not belong here`
    : `unknown key "${key}"${didYouMean(key, known)}`;
}

function explainUnion(branches: readonly Issue[][], path: Path, known: readonly string[]): ScenarioProblem[] {
  const meant = branches.find((branch) => !isOtherBranch(branch));
  if (meant) return meant.flatMap((issue) => explainIssue(issue, path, known));

  const telling = branches.flatMap((branch) =>
    branch.filter((issue) => issue.path.length === 1 && isMissing(issue)),
  );
  const keys = [...new Set(telling.map((issue) => String(issue.path[0])))];
  const unknown = branches.flatMap((branch) =>
    branch.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])),
  );
  const expected = `expected one of the keys ${keys.join(', ')}`;
  if (unknown.length > 0) {
    const [key = ''] = unknown;
    const hint = didYouMean(key, keys) || didYouMean(key, known);
    return [{ path: pathText(path), message: `unknown key "${key}"${hint || `; ${expected}`}` }];
  }
  if (keys.length > 0 && branches.some((branch) => branch.every((issue) => issue.path.length > 0))) {
    return [{ path: pathText(path), message: expected }];
  }
  const kinds = branches.flatMap((branch) =>
    branch.flatMap((issue) => {
      if (issue.code === 'invalid_type') return [issue.expected];
      return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
    }),
  );
  return [{ path: pathText(path), message: `expected ${[...new Set(kinds)].join(' or ')}` }];
}

function explainIssue(issue: Issue, base: Path, known: readonly string[]): ScenarioProblem[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: pathText(path), message: unknownKey(key, known) }));
    case 'invalid_union':
      if (issue.errors.length > 0) return explainUnion(issue.errors, path, known);
      return [{ path: pathText(path), message: issue.message.replace(/^.*Expected/, 'expected one of') }];
    default:
      return [{ path: pathText(path), message: plain(issue) }];
  }
}

function plain(issue: Issue): string {
  if (isMissing(issue)) {
    return issue.message.replace(/^.*?expected (.*), received undefined$/, 'missing; expected $1');
  }
  return issue.message.replace(/^Invalid (?:input|option): /, '').replace(', received ', ', got ');
}

/** Says in plain words what a schema found wrong, and where. */
export function explain(issues: readonly Issue[], known: readonly string[]): ScenarioProblem[] {
  return issues.flatMap((issue) => explainIssue(issue, [], known));
}
