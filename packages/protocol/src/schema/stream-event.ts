import { apiMessage } from './api-message.ts';
import { startingBlock } from './content-block.ts';
import { parentToolUse, promptOrigin } from './envelope.ts';
import { oneOf } from './one-of.ts';
import { usageDelta } from './usage.ts';
import {
  anyObject,
  anything,
  echoed,
  expected,
  type Inbound,
  literal,
  nullable,
  number,
  object,
  optional,
  text,
} from './wire.ts';

const delta = oneOf('type', {
  text_delta: object({ type: literal('text_delta'), text }),
  input_json_delta: object({ type: literal('input_json_delta'), partial_json: text }),
  thinking_delta: object({ type: literal('thinking_delta'), thinking: text }),
  signature_delta: object({ type: literal('signature_delta'), signature: text }),
  citations_delta: object({ type: literal('citations_delta'), citation: expected(anything) }),
});

export const apiStreamEvent = oneOf('type', {
  message_start: object({ type: literal('message_start'), message: apiMessage }),
  content_block_start: object({
    type: literal('content_block_start'),
    index: number,
    content_block: startingBlock,
  }),
  content_block_delta: object({ type: literal('content_block_delta'), index: number, delta }),
  content_block_stop: object({ type: literal('content_block_stop'), index: number }),
  message_delta: object({
    type: literal('message_delta'),
    delta: object({ stop_reason: expected(nullable(text)), stop_sequence: optional(nullable(text)) }),
    usage: expected(usageDelta),
    context_management: optional(anything),
  }),
  message_stop: object({ type: literal('message_stop') }),
  ping: object({ type: literal('ping') }),
  error: object({ type: literal('error'), error: anyObject }),
});

export const streamEventMessage = object({
  type: literal('stream_event'),
  event: echoed(apiStreamEvent),
  ...parentToolUse,
  uuid: text,
  session_id: text,
  ...promptOrigin,
  ttft_ms: optional(number),
  api_message_id: optional(text),
});

/** One event of the Messages API's stream. */
export type ApiStreamEvent = Inbound<typeof apiStreamEvent>;

/** A token delta or another piece of a reply that is being written. */
export type StreamEventMessage = Inbound<typeof streamEventMessage>;
