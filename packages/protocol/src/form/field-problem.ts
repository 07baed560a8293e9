import { isUrl } from '../is-url.ts';
import type { FormField, FormOption, TextFormat } from './form-field.ts';

type FieldOf<Kind extends FormField['kind']> = Extract<FormField, { kind: Kind }>;

/** What is wrong with a value for a field, to be read after the field's name; undefined is a field left out. */
export function fieldProblem(field: FormField, value: unknown): string | undefined {
  if (value === undefined) return field.isRequired ? 'must be filled in' : undefined;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'must be text';
    case 'number':
      return numberProblem(field, value);
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'choice':
      return has(field.options, value) ? undefined : `must be one of ${listed(field.options)}`;
    case 'choices':
      return Array.isArray(value) ? choicesProblem(field, value) : 'must be a list';
    case 'other':
      return undefined;
  }
}

function textProblem({ format, minLength, maxLength }: FieldOf<'text'>, text: string): string | undefined {
  // JSON Schema counts characters, and a string of JavaScript halves of some.
  const { length } = Array.from(text);
  if (length < minLength) return `must have at least ${counted(minLength, 'character')}`;
  if (length > maxLength) return `must have at most ${counted(maxLength, 'character')}, not ${length}`;
  if (format === undefined || FORMATS[format].isMet(text)) return undefined;
  return `must be ${FORMATS[format].words}`;
}

/** Lenient where servers differ: a person can do nothing about an address that is taken for a wrong one. */
const FORMATS: Record<TextFormat, { isMet: (text: string) => boolean; words: string }> = {
  email: {
    isMet: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
    words: 'an e-mail address, like ada@example.com',
  },
  uri: {
    isMet: (text) => !/\s/.test(text) && isUrl(text),
    words: 'a whole address, like https://example.com',
  },
  date: { isMet: isDate, words: 'a date, like 2026-07-31' },
  'date-time': { isMet: isMoment, words: 'a date and time with its zone, like 2026-07-31T09:30:00Z' },
};

/** A day that there is: the platform takes the 30th of February for one in March. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${text}T`);
}

function isMoment(text: string): boolean {
  const [day = ''] = text.split(/T/i);
  const isWhole = /^[\d-]+T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text);
  return isWhole && isDate(day) && !Number.isNaN(Date.parse(text));
}

function numberProblem(
  { isInteger, minimum, maximum }: FieldOf<'number'>,
  value: unknown,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (isInteger && !Number.isInteger(value)) return 'must be a whole number';
  if (value < minimum) return `must be ${minimum} or more`;
  return value > maximum ? `must be ${maximum} or less` : undefined;
}

function choicesProblem(field: FieldOf<'choices'>, values: readonly unknown[]): string | undefined {
  const { options, minItems, maxItems } = field;
  if (!values.every((value) => has(options, value))) return `must have values out of ${listed(options)}`;
  if (values.length < minItems) return `must have at least ${counted(minItems, 'choice')}`;
  return values.length > maxItems ? `must have at most ${counted(maxItems, 'choice')}` : undefined;
}

function has(options: readonly FormOption[], value: unknown): boolean {
  return options.some((option) => option.value === value);
}

function listed(options: readonly FormOption[]): string {
  return options.map(({ value }) => value).join(', ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
