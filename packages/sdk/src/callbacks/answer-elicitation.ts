import type { ControlHandler } from '@signalbox/protocol';
import { atItsWord } from '../agent-words.ts';
import type { OnElicitation, OnUserDialog } from '../types/mcp.ts';
import { leftOpen } from './left-open.ts';
import { withoutGaps } from './without-gaps.ts';

/** Answers `elicitation`: what an MCP server asks the user. Without a callback it is declined. */
export function answerElicitation(onElicitation: OnElicitation | undefined): ControlHandler {
  return async (body, { requestId, signal }) => {
    if (!onElicitation) return { action: 'decline' };
    const request = atItsWord(
      'elicitation',
      withoutGaps({
        serverName: body['mcp_server_name'],
        message: body['message'],
        mode: body['mode'],
        url: body['url'],
        elicitationId: body['elicitation_id'],
        requestedSchema: body['requested_schema'],
        title: body['title'],
        displayName: body['display_name'],
        description: body['description'],
      }),
    );
    return (await onElicitation(request, { requestId, signal })) ?? leftOpen(signal);
  };
}

/** Answers `request_user_dialog`. Without a callback the dialog is somebody else's. */
export function answerDialog(onUserDialog: OnUserDialog | undefined): ControlHandler {
  return async (body, { requestId, signal }) => {
    const request = atItsWord(
      'dialog',
      withoutGaps({
        dialogKind: body['dialog_kind'],
        payload: body['payload'],
        toolUseID: body['tool_use_id'],
      }),
    );
    return (await onUserDialog?.(request, { requestId, signal })) ?? leftOpen(signal);
  };
}
