import type { AgentMessage, SystemMessage } from '@signalbox/protocol';
import type { Tone } from './entry.ts';

/** A line that tells what happened beside the conversation. */
export interface Note {
  text: string;
  tone: Tone;
}

/** What a message is worth saying to a person; nothing for most. */
export function noteOf(message: AgentMessage): Note | undefined {
  switch (message.type) {
    case 'system':
      return systemNote(message);
    case 'conversation_reset':
      return quiet('A new conversation begins.');
    case 'auth_status':
      return message.error ? { text: `Signing in failed: ${message.error}`, tone: 'error' } : undefined;
    case 'rate_limit_event':
      return rateNote(message.rate_limit_info);
    default:
      return undefined;
  }
}

function systemNote(message: SystemMessage): Note | undefined {
  switch (message.subtype) {
    case 'api_retry':
      return {
        text: `The model did not answer${message.error_status ? ` (${message.error_status})` : ''}; trying again in ${seconds(message.retry_delay_ms)} (${message.attempt ?? 1} of ${message.max_retries ?? '?'})`,
        tone: 'warning',
      };
    case 'compact_boundary': {
      const { pre_tokens: before, trigger } = message.compact_metadata;
      const size = before ? `, ${Math.round(before / 1000)}k tokens before` : '';
      return quiet(
        `The conversation was summed up (${trigger === 'manual' ? 'you asked for it' : 'it was full'}${size})`,
      );
    }
    case 'status':
      return message.compact_error
        ? { text: `Summing up failed: ${message.compact_error}`, tone: 'warning' }
        : undefined;
    case 'task_started':
      return message.is_backgrounded ? quiet(`In the background: ${message.description ?? ''}`) : undefined;
    case 'task_notification':
      return {
        text: `Background task ${message.status}: ${message.summary ?? message.task_id}`,
        tone: message.status === 'failed' ? 'warning' : 'quiet',
      };
    case 'hook_response':
      return message.outcome === 'error'
        ? {
            text: `Hook ${message.hook_name ?? ''} failed: ${message.stderr || message.output || 'no reason given'}`,
            tone: 'warning',
          }
        : undefined;
    case 'notification':
      return quiet(message.text);
    case 'permission_denied':
      return {
        text:
          message.message || `${message.tool_name} is not allowed: ${message.decision_reason ?? 'by a rule'}`,
        tone: 'warning',
      };
    case 'informational':
      return { text: message.content, tone: message.level === 'warning' ? 'warning' : 'quiet' };
    default:
      return undefined;
  }
}

function rateNote(info: { status: string; resetsAt?: number | null | undefined }): Note | undefined {
  if (info.status === 'allowed') return undefined;
  const until = info.resetsAt ? ` until ${new Date(info.resetsAt * 1000).toLocaleTimeString()}` : '';
  return info.status === 'rejected'
    ? { text: `The account's limit is reached${until}`, tone: 'error' }
    : { text: `The account's limit is near${until}`, tone: 'warning' };
}

function quiet(text: string): Note {
  return { text, tone: 'quiet' };
}

function seconds(milliseconds: number | null | undefined): string {
  return `${Math.max(1, Math.round((milliseconds ?? 1000) / 1000))} s`;
}
