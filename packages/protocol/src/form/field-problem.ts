import { isUrl } from '../is-url.ts';
import type { FormField, FormOption, TextFormat } from './form-field.ts';

type FieldOf<Kind extends FormField['kind']> = Extract<FormField, { kind: Kind }>;

/** What is wrong with a value for a field; each reader has words for it. */
export type FieldFault =
  | { fault: 'missing' | 'not-text' | 'not-number' | 'not-whole' | 'not-flag' | 'not-list' }
  | { fault: 'not-an-option' | 'not-of-options'; options: string }
  | { fault: 'too-short'; minimum: number }
  | { fault: 'too-long'; maximum: number; length: number }
  | { fault: 'wrong-format'; format: TextFormat }
  | { fault: 'too-small'; minimum: number }
  | { fault: 'too-large'; maximum: number }
  | { fault: 'too-few-choices'; minimum: number }
  | { fault: 'too-many-choices'; maximum: number };

/** What is wrong with a value for a field; undefined is a field left out. */
export function fieldFault(field: FormField, value: unknown): FieldFault | undefined {
  if (value === undefined) return field.isRequired ? { fault: 'missing' } : undefined;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? textFault(field, value) : { fault: 'not-text' };
    case 'number':
      return numberFault(field, value);
    case 'flag':
      return typeof value === 'boolean' ? undefined : { fault: 'not-flag' };
    case 'choice':
      return has(field.options, value)
        ? undefined
        : { fault: 'not-an-option', options: listed(field.options) };
    case 'choices':
      return Array.isArray(value) ? choicesFault(field, value) : { fault: 'not-list' };
    case 'other':
      return undefined;
  }
}

/** What is wrong with a value for a field, in English, to be read after the field's name. */
export function fieldProblem(field: FormField, value: unknown): string | undefined {
  const fault = fieldFault(field, value);
  return fault && faultWords(fault);
}

/** A fault in English, to be read after the field's name. */
export function faultWords(fault: FieldFault): string {
  switch (fault.fault) {
    case 'missing':
      return 'must be filled in';
    case 'not-text':
      return 'must be text';
    case 'not-number':
      return 'must be a number';
    case 'not-whole':
      return 'must be a whole number';
    case 'not-flag':
      return 'must be true or false';
    case 'not-list':
      return 'must be a list';
    case 'not-an-option':
      return `must be one of ${fault.options}`;
    case 'not-of-options':
      return `must have values out of ${fault.options}`;
    case 'too-short':
      return `must have at least ${counted(fault.minimum, 'character')}`;
    case 'too-long':
      return `must have at most ${counted(fault.maximum, 'character')}, not ${fault.length}`;
    case 'wrong-format':
      return `must be ${FORMATS[fault.format].words}`;
    case 'too-small':
      return `must be ${fault.minimum} or more`;
    case 'too-large':
      return `must be ${fault.maximum} or less`;
    case 'too-few-choices':
      return `must have at least ${counted(fault.minimum, 'choice')}`;
    case 'too-many-choices':
      return `must have at most ${counted(fault.maximum, 'choice')}`;
  }
}

function textFault({ format, minLength, maxLength }: FieldOf<'text'>, text: string): FieldFault | undefined {
  // JSON Schema counts characters, and a string of JavaScript halves of some.
  const { length } = Array.from(text);
  if (length < minLength) return { fault: 'too-short', minimum: minLength };
  if (length > maxLength) return { fault: 'too-long', maximum: maxLength, length };
  if (format === undefined || FORMATS[format].isMet(text)) return undefined;
  return { fault: 'wrong-format', format };
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

function numberFault(
  { isInteger, minimum, maximum }: FieldOf<'number'>,
  value: unknown,
): FieldFault | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { fault: 'not-number' };
  if (isInteger && !Number.isInteger(value)) return { fault: 'not-whole' };
  if (value < minimum) return { fault: 'too-small', minimum };
  return value > maximum ? { fault: 'too-large', maximum } : undefined;
}

function choicesFault(field: FieldOf<'choices'>, values: readonly unknown[]): FieldFault | undefined {
  const { options, minItems, maxItems } = field;
  if (!values.every((value) => has(options, value)))
    return { fault: 'not-of-options', options: listed(options) };
  if (values.length < minItems) return { fault: 'too-few-choices', minimum: minItems };
  return values.length > maxItems ? { fault: 'too-many-choices', maximum: maxItems } : undefined;
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
