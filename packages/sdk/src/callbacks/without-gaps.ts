/** Callers look with `in` and spread: what the agent did not say is not there, and null is nothing said. */
export function withoutGaps(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, of]) => of !== undefined && of !== null));
}
