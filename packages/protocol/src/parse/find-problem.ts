import * as z from 'zod/mini';

/** What is wrong with a value, and where. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** The path as a reader writes it: `message.content[0].signature`. Empty for the value as a whole. */
  readonly field: string;
  /** What is wrong, in words. */
  readonly text: string;
}

// A peer chooses the names of fields, so their length in an error is ours to bound.
const MAX_FIELD_CHARS = 200;

/** The first thing that is wrong with `value`, or undefined when it fits. */
export function findProblem(schema: z.core.$ZodType, value: unknown): Problem | undefined {
  const issue = z.safeParse(schema, value).error?.issues[0];
  return issue && explain(value, deepest(issue));
}

type Issue = z.core.$ZodIssue;

// Of the alternatives that all failed, the one that got furthest is the one the sender meant.
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flatMap(([first]) => (first ? [deepest(first)] : []))
    .reduce<Issue | undefined>(
      (best, next) => (best && best.path.length > next.path.length ? best : next),
      undefined,
    );
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

function explain(value: unknown, issue: Issue): Problem {
  if (issue.code === 'unrecognized_keys') {
    return problem([...issue.path, ...issue.keys.slice(0, 1)], (name) => `unknown field ${name}`);
  }
  const found = valueAt(value, issue.path);
  return problem(issue.path, (name) => {
    if (found === undefined && name) return `missing field ${name}`;
    const subject = name ? `field ${name}` : 'it';
    if (issue.code === 'invalid_type')
      return `${subject} must be ${kindName(issue.expected)}, not ${kindOf(found)}`;
    if (issue.code === 'invalid_value') return `${subject} must be ${issue.values.map(quote).join(' or ')}`;
    return `${subject} has a value that is not allowed`;
  });
}

function problem(path: readonly PropertyKey[], say: (quotedName: string) => string): Problem {
  const field = path.reduce<string>(join, '').slice(0, MAX_FIELD_CHARS);
  return { path, field, text: say(field && `"${field}"`) };
}

function join(field: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${field}[${key}]`;
  return field ? `${field}.${String(key)}` : String(key);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function kindName(expected: string): string {
  return `${/^[ao]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'an infinite number';
  return kindName(typeof value);
}
