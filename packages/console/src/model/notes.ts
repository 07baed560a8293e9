import { type JsonObject, listAt, numberAt, objectAt, textAt } from '@signalbox/protocol';
import { dollars, tokens } from '../spend/amounts.ts';
import { t } from '../words/t.ts';
import type { Tone } from './item.ts';

/** What a message comes to; null when it is nothing for a reader. */
export type Note = {
  text: string;
  tone: Tone;
  detail?: string;
  session?: string;
  /** The model is asked once more. */
  isAttempt?: true;
} | null;

/** Says what goes on while it does, which the transcript shows by itself. */
const SILENT = new Set([
  'system/status',
  'system/hook_started',
  'system/hook_progress',
  'system/thinking_tokens',
  'system/session_state_changed',
  'system/commands_changed',
  'system/files_persisted',
  'system/task_started',
  'system/task_progress',
  'system/task_updated',
  'bridge/status',
  'bridge/output_ended',
  'hub/stop',
]);

const SILENT_TYPES = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'stream_event',
  'tool_progress',
  'tool_use_summary',
  'command_lifecycle',
  'prompt_suggestion',
  'update_environment_variables',
]);

/** What is worth saying about a message that is not part of the conversation; undefined when nobody here knows it. */
export function noteOf(message: JsonObject): Note | undefined {
  const type = textAt(message, 'type');
  const name = `${type}/${textAt(message, 'subtype')}`;
  if (SILENT_TYPES.has(type) || SILENT.has(name)) return null;
  return NOTES[name]?.(message) ?? NOTES[type]?.(message);
}

const NOTES: Record<string, (message: JsonObject) => Note> = {
  'system/compact_boundary': (message) => {
    const before = numberAt(objectAt(message, 'compact_metadata'), 'pre_tokens');
    return mark(before === undefined ? t.model.summedUp : t.model.summedUpFrom(Math.round(before / 1000)));
  },
  'system/api_retry': (message) => {
    const status = numberAt(message, 'error_status');
    const [attempt = 1, most = '?'] = [numberAt(message, 'attempt'), numberAt(message, 'max_retries')];
    const text = t.model.retry(status ? ` (${status})` : '', String(attempt), String(most));
    return { text, tone: 'warning', isAttempt: true };
  },
  'system/hook_response': (message) =>
    message.outcome === 'error'
      ? warning(t.model.hookFailed(textAt(message, 'hook_name')), textAt(message, 'stderr'))
      : null,
  'system/notification': (message) => quiet(textAt(message, 'text')),
  'system/permission_denied': (message) =>
    warning(textAt(message, 'message') || t.model.toolNotAllowed(textAt(message, 'tool_name'))),
  'system/informational': (message) => quiet(textAt(message, 'content')),
  'system/local_command_output': (message) => quiet(textAt(message, 'content')),
  'hub/gap': (message) => {
    const count = (numberAt(message, 'to') ?? 0) - (numberAt(message, 'from') ?? 0) + 1;
    return warning(t.model.linesLost(count));
  },
  'hub/restart': (message) =>
    warning(
      t.model.restarts(
        textAt(message, 'state'),
        textAt(message, 'why'),
        String(numberAt(message, 'count') ?? ''),
        String(numberAt(message, 'most') ?? ''),
        textAt(message, 'message'),
      ),
    ),
  'hub/budget': (message) => {
    const state = textAt(message, 'state');
    const words = t.model.budget(
      state,
      textAt(message, 'scope'),
      spentOf(message),
      textAt(message, 'message'),
    );
    return state === 'allowed' ? mark(words) : warning(words);
  },
  'hub/rotated': (message) => {
    const [next, previous] = [textAt(message, 'next'), textAt(message, 'previous')];
    if (next !== '') return mark(t.model.beganAnother, next);
    if (previous !== '') return mark(t.model.beganAfter, previous);
    return mark(t.model.began);
  },
  'hub/view': (message) => {
    if (textAt(message, 'view') === 'terminal') return mark(t.model.wentToTerminal);
    const problem = textAt(message, 'problem');
    return problem === '' ? mark(t.model.cameBack) : warning(t.model.cameBackUnread, problem);
  },
  'bridge/started': (message) =>
    quiet(
      t.model.started,
      t.model.startedOn(
        listAt(message, 'command').join(' '),
        textAt(message, 'cwd'),
        textAt(message, 'host'),
      ),
    ),
  'bridge/exited': (message) => exitNote(message, undefined),
  'bridge/failed': failedStart,
  'hub/failed': failedStart,
  'bridge/quoted': (message) => quiet(t.model.strayOutput, textAt(message, 'line')),
  conversation_reset: () => mark(t.model.newConversation),
  auth_status: (message) =>
    textAt(message, 'error') ? warning(t.model.signInFailed(textAt(message, 'error'))) : null,
  rate_limit_event: (message) => {
    const status = textAt(objectAt(message, 'rate_limit_info'), 'status');
    if (status === 'allowed') return null;
    return warning(status === 'rejected' ? t.model.limitReached : t.model.limitNear);
  },
};

/** The end of an agent's process; `endedBy` is who told it to end, in which case its code says nothing. */
export function exitNote(message: JsonObject, endedBy: string | undefined): Note {
  const code = numberAt(message, 'code') ?? null;
  const signal = textAt(message, 'signal') || null;
  const stderr = textAt(message, 'stderr').trim();
  const text = t.states.exit({ code, signal }, endedBy);
  if (endedBy !== undefined) return quiet(text);
  return { text, tone: code === 0 ? 'quiet' : 'error', ...detailOf(stderr) };
}

/** What is spent of the budget that a line tells of. */
function spentOf(message: JsonObject): string {
  const [usd, most] = [numberAt(message, 'usd'), numberAt(message, 'tokens')];
  const spent = objectAt(message, 'spent');
  const parts = [
    ...(usd === undefined ? [] : [t.common.partOf(dollars(numberAt(spent, 'usd') ?? 0), dollars(usd))]),
    ...(most === undefined
      ? []
      : [t.common.partOfTokens(tokens(numberAt(spent, 'tokens') ?? 0), tokens(most))]),
  ];
  return parts.join(', ');
}

function failedStart(message: JsonObject): Note {
  return { text: t.model.notStarted, tone: 'error', ...detailOf(textAt(message, 'message')) };
}

function mark(text: string, session = ''): Note {
  return { text, tone: 'mark', ...(session === '' ? {} : { session }) };
}

function quiet(text: string, detail = ''): Note {
  return { text, tone: 'quiet', ...detailOf(detail) };
}

function warning(text: string, detail = ''): Note {
  return { text, tone: 'warning', ...detailOf(detail) };
}

function detailOf(detail: string): { detail?: string } {
  return detail === '' ? {} : { detail };
}
