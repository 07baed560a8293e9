import { agentControlRequest } from './agent-control-request.ts';
import { hostControlRequest } from './host-control-request.ts';
import { oneOf } from './one-of.ts';
import { anything, expected, list, literal, object, optional, text } from './wire.ts';

const request = { type: literal('control_request'), request_id: text };

export const agentControlRequestMessage = object({ ...request, request: agentControlRequest });
export const hostControlRequestMessage = object({ ...request, request: hostControlRequest });

// Prompts that were open when a host came back; the way to recover them after a reconnect.
const pending = {
  pending_permission_requests: optional(list(agentControlRequestMessage)),
  pending_user_dialog_requests: optional(list(agentControlRequestMessage)),
};

export const controlResponseMessage = object({
  type: literal('control_response'),
  response: oneOf(
    'subtype',
    {
      success: object({
        subtype: literal('success'),
        request_id: text,
        response: optional(anything),
        ...pending,
      }),
      error: object({
        subtype: literal('error'),
        request_id: text,
        error: expected(text),
        error_code: optional(text),
        ...pending,
      }),
    },
    { request_id: text },
  ),
});

export const controlCancelMessage = object({ type: literal('control_cancel_request'), request_id: text });
