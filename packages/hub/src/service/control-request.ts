import { type ControlRequestBody, isJsonObject, type JsonObject } from '@signalbox/protocol';
import type { Scope } from '@signalbox/protocol/hub';

/**
 * What one who drives an agent may ask it. Whatever else there is, or will be, may run a program or change settings:
 * servers, plugins, settings themselves.
 */
const OF_DRIVERS: ReadonlySet<string> = new Set([
  'interrupt',
  'set_permission_mode',
  'set_model',
  'set_max_thinking_tokens',
  'mcp_status',
  'mcp_reconnect',
  'mcp_read_resource',
  'rewind_files',
  'stop_task',
  'background_tasks',
  'get_task_output',
  'cancel_async_message',
  'get_context_usage',
  'get_usage',
  'get_session_cost',
  'get_settings',
  'get_hooks_listing',
  'list_models',
  'list_permission_rules',
  'file_suggestions',
  'read_file',
  'seed_read_state',
  'rename_session',
  'generate_session_title',
  'reload_output_styles',
  'reload_skills',
]);

/** What only says how an agent stands: pages ask it again and again, and nobody decides anything by it. */
const OF_LOOKERS: ReadonlySet<string> = new Set([
  'mcp_status',
  'get_context_usage',
  'get_usage',
  'get_session_cost',
  'get_hooks_listing',
  'list_models',
  'list_permission_rules',
  'file_suggestions',
]);

/** What of a request the audit log keeps: its values, or the names in it. What it says at length is not for a log. */
const TOLD_VALUES = ['mode', 'model', 'max_thinking_tokens', 'serverName', 'enabled', 'task_id', 'title'];
const TOLD_NAMES = ['servers', 'settings'];
const MAX_SUBJECT_LENGTH = 200;

/** Of these the record says that they were done, and by whom: they change what a reader sees from there on. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  rewind_files: ['user_message_id'],
  set_permission_mode: ['mode'],
  set_model: ['model'],
  set_max_thinking_tokens: ['max_thinking_tokens'],
};

/** What of a request the record keeps once it is done; undefined when that is nothing. */
export function recordedRequest(request: ControlRequestBody): JsonObject | undefined {
  const { subtype, dry_run: isDry } = request;
  const fields = RECORDED[subtype];
  if (!fields || isDry === true) return undefined;
  return Object.fromEntries(['subtype', ...fields].map((field) => [field, request[field] ?? null]));
}

/** Whether the audit log has who asked this. */
export function isDecision({ subtype }: ControlRequestBody): boolean {
  return !OF_LOOKERS.has(subtype);
}

/** What it takes to ask an agent this. One who may drive may not thereby run any program, nor an agent that asks nobody. */
export function scopeForControl({ subtype, mode }: ControlRequestBody): Scope {
  return OF_DRIVERS.has(subtype) && mode !== 'bypassPermissions' ? 'drive' : 'admin';
}

/** What it takes to say another line to an agent. Variables of its environment can have it run any program. */
export function scopeForLine(type: string): Scope {
  return type === 'update_environment_variables' ? 'admin' : 'drive';
}

/** What a request is about, for the audit log; null when its name says all. */
export function subjectOfControl(request: ControlRequestBody): string | null {
  const words = [
    ...TOLD_VALUES.map((field) => valueIn(request, field)),
    ...TOLD_NAMES.map((field) => namesIn(request[field])),
  ];
  return words.filter(Boolean).join(' ').slice(0, MAX_SUBJECT_LENGTH) || null;
}

function valueIn(request: JsonObject, field: string): string {
  const value = request[field];
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

function namesIn(value: unknown): string {
  return isJsonObject(value) ? Object.keys(value).join(', ') : '';
}
