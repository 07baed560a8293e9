import { isJsonObject, shortInput, spokenName, textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { inOneLine } from '../cell-text.ts';

/** What is asked for, in one line. */
export function requestWords({ request, unread }: PermissionRequest, folder: string | null): string {
  if (unread) return 'something that cannot be read any more';
  const { subtype, tool_name: tool, input } = request;
  if (subtype === 'can_use_tool' && typeof tool === 'string')
    return inOneLine(`${spokenName(tool)} ${isJsonObject(input) ? shortInput(tool, input, folder) : ''}`);
  return inOneLine(textAt(request, 'message') || textAt(request, 'title') || 'a form or dialog');
}
