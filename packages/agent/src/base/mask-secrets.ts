const MASK = '***';

/** Shorter values are words like `1` or `true`, and would make texts unreadable. */
const MIN_SECRET_CHARS = 6;

const SECRET_NAME = /key|token|secret|password|passwd|credential|auth|cookie/i;

/** The values of variables that are secret by their names. */
export function secretValues(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && SECRET_NAME.test(name) ? [value] : []))
    .filter((value) => value.length >= MIN_SECRET_CHARS)
    .toSorted((a, b) => b.length - a.length);
}

/** A text without the secrets that are known, and without what looks like one: keys, tokens, headers that carry them. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((result, secret) => result.replaceAll(secret, MASK), text);
  return known
    .replaceAll(/\b(?:sk|pk|ghp|gho|ghs|github_pat|xox[a-z]|glpat|AKIA)[-_]?[\w-]{12,}/g, MASK)
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`)
    .replaceAll(/(\/\/[^/\s:@]{1,200}:)[^/\s@]{1,200}@/g, `$1${MASK}@`)
    .replaceAll(FIELD, `$1${MASK}`);
}

/** `name: value`, `name=value` or `"name":"value"`, where the name says that the value is secret. `max_tokens` is not. */
const FIELD =
  /((?:\b|["'])(?:[\w-]{0,40}(?:api[-_]?key|token|secret|password|passwd)|(?:proxy-)?authorization|(?:set-)?cookie)["']?\s{0,3}[:=]\s{0,3})(?:"[^"]*"|'[^']*'|[^\s,;&}]+)/gi;
