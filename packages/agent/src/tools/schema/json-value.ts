/** The types that a schema may name. */
export const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

/** The most exact of the types that a value has: a whole number is an integer. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
