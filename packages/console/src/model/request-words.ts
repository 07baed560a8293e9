import { type JsonObject, textAt } from '@signalbox/protocol';

/** What somebody asked of the agent beside prompts, and it did; undefined for what is nothing for a reader. */
export function requestWords(request: JsonObject, who: string): string | undefined {
  switch (request.subtype) {
    case 'rewind_files':
      return `${who} put the files back to an earlier prompt`;
    case 'set_permission_mode':
      return `${who} switched the mode to ${textAt(request, 'mode')}`;
    case 'set_model':
      return `${who} switched to ${textAt(request, 'model') || 'the usual model'}`;
    case 'set_max_thinking_tokens':
      if (request.max_thinking_tokens === null) return `${who} left thinking to the agent's settings`;
      return `${who} switched thinking ${request.max_thinking_tokens === 0 ? 'off' : 'on'}`;
    default:
      return undefined;
  }
}
