import { contentBlock } from './content-block.ts';
import { usage } from './usage.ts';
import { anything, echoed, expected, list, literal, nullable, object, optional, text } from './wire.ts';

/** The model's reply as the Messages API shapes it, whole or as the start of a stream; passed on as it came. */
export const apiMessage = echoed(
  object({
    id: expected(text),
    type: expected(literal('message')),
    role: expected(literal('assistant')),
    model: text,
    content: list(contentBlock),
    stop_reason: expected(nullable(text)),
    stop_sequence: optional(nullable(text)),
    stop_details: optional(anything),
    usage: expected(usage),
    container: optional(anything),
    context_management: optional(anything),
  }),
);
