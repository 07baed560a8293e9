import { isJsonObject } from '@signalbox/protocol';
import { kindOf } from '../messages.ts';

/** Fields that name one of a few things: what they say counts, not only that they are there. */
const ENUMERATIONS = new Set([
  'behavior',
  'decision_reason_type',
  'hook_event_name',
  'is_error',
  'isReplay',
  'isSynthetic',
  'non_execution_kind',
  'notification_type',
  'permission_decision',
  'reason',
  'source',
  'state',
  'status',
  'stop_reason',
  'terminal_reason',
  'trigger',
]);

/** What free keys hang on: the keys are a caller's or a model's, and all their values have one shape. */
const MAPS = new Set(['modelUsage', 'model_usage_since_last_result', 'answers', 'by_type']);

/**
 * The names of all fields of a message, such as `result/success usage.input_tokens`. An entry of a list goes by its
 * type, `content[text].text`; what a field says is part of its name where it is one of a few words.
 */
export function fieldPaths(message: Record<string, unknown>): string[] {
  return [...new Set(below(message, ''))].map((path) => `${kindOf(message)} ${path}`);
}

function below(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => below(entry, `${path}[${nameOf(entry)}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const name = MAPS.has(path.slice(path.lastIndexOf('.') + 1)) ? '*' : key;
    const at = path ? `${path}.${name}` : name;
    if (ENUMERATIONS.has(key) && !isObject(field)) return [`${at}=${String(field)}`];
    return [at, ...below(field, at)];
  });
}

function nameOf(entry: unknown): string {
  if (!isJsonObject(entry)) return '';
  const { type, name } = entry;
  if (type === 'tool_use' && typeof name === 'string') return `${type} ${name}`;
  return typeof type === 'string' ? type : '';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
