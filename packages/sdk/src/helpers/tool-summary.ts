import type { ToolUseBlock } from '../types/api-message.ts';

/** What a call is about, in the field that says it best. */
const TELLING_FIELDS = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'description',
  'skill',
  'task_id',
];

/** A tool call in a few words. */
export function summarizeToolUse({ name, input }: Pick<ToolUseBlock, 'name' | 'input'>): string {
  const fields: Record<string, unknown> = typeof input === 'object' ? { ...input } : {};
  const told = TELLING_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string');
  return typeof told === 'string' ? `${name} ${told}` : name;
}
