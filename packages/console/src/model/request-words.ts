import { type JsonObject, textAt } from '@signalbox/protocol';
import { t } from '../words/t.ts';

/** What somebody asked of the agent beside prompts, and it did; undefined for what is nothing for a reader. */
export function requestWords(request: JsonObject, who: string): string | undefined {
  switch (request.subtype) {
    case 'rewind_files':
      return t.model.putFilesBack(who);
    case 'set_permission_mode':
      return t.model.switchedMode(who, textAt(request, 'mode'));
    case 'set_model':
      return t.model.switchedModel(who, textAt(request, 'model') || t.model.usualModel);
    case 'set_max_thinking_tokens':
      if (request.max_thinking_tokens === null) return t.model.leftThinking(who);
      return t.model.switchedThinking(who, request.max_thinking_tokens !== 0);
    default:
      return undefined;
  }
}
