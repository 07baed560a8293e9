import { ApiError } from '../api/api-error.ts';
import { didYouMean } from './did-you-mean.ts';

const PLACEHOLDER = /\{\{\s*(\w+)\s*(?:\|\s*(\w+)\s*)?\}\}/g;
const WHOLE_JSON = /^\{\{\s*(\w+)\s*\|\s*json\s*\}\}$/;
const NAMED_GROUP = /\(\?<(\w+)>/g;

const BUILT_IN = ['lastUserText', 'lastToolResult', 'model', 'turn', 'cwd'] as const;
const FILTERS = ['json', 'words'] as const;
/** The most words that `{{n|words}}` makes: more would only be a slow way to run out of memory. */
const WORDS_LIMIT = 100_000;

/** What the placeholders of a reply stand for: the built-in names, and the groups of the regular expressions that matched. */
export type Values = Readonly<Record<string, string>>;

function countingWords(value: string): string {
  const n = Math.min(Number.parseInt(value, 10) || 0, WORDS_LIMIT);
  return Array.from({ length: n }, (_, i) => `w${i}`).join(' ');
}

export function fillText(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (_, name: string, filter?: string) => {
    const value = values[name] ?? '';
    return filter === 'words' ? countingWords(value) : value;
  });
}

/** Fills the placeholders of a whole value; a string that is nothing but `{{name|json}}` becomes the JSON it stands for. */
export function fillValue(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const name = WHOLE_JSON.exec(value)?.[1];
    return name === undefined ? fillText(value, values) : parseJson(name, values[name] ?? '');
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fillValue(item, values));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, values)]));
  }
  return value;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError(400, `{{${name}|json}} stands for text that is not JSON: ${reason}`);
  }
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(strings);
  return [];
}

/** One message for every placeholder that nothing can fill: neither a built-in name nor a group in `when`. */
export function unknownPlaceholders(templates: unknown, when: unknown): string[] {
  const groups = strings(when).flatMap((text) =>
    [...text.matchAll(NAMED_GROUP)].map((match) => match[1] ?? ''),
  );
  const names = [...BUILT_IN, ...groups];
  return strings(templates)
    .flatMap((text) => [...text.matchAll(PLACEHOLDER)])
    .flatMap(([whole, name = '', filter]) => {
      if (!/^\d+$/.test(name) && !names.includes(name)) {
        return [`unknown placeholder ${whole}${didYouMean(name, names)}`];
      }
      if (filter !== undefined && !FILTERS.some((known) => known === filter)) {
        return [`unknown filter in ${whole}${didYouMean(filter, FILTERS)}`];
      }
      return [];
    });
}
