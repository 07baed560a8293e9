import { envelope } from './envelope.ts';
import { choice, expected, literal, number, object, optional, text } from './wire.ts';

const hook = {
  type: literal('system'),
  hook_id: text,
  hook_name: expected(text),
  hook_event: expected(text),
  ...envelope,
};
const output = { output: expected(text), stdout: expected(text), stderr: expected(text) };

/** The life of a hook that an agent runs. */
export const hookMessages = {
  hook_started: object({ ...hook, subtype: literal('hook_started') }),
  hook_progress: object({ ...hook, subtype: literal('hook_progress'), ...output }),
  hook_response: object({
    ...hook,
    subtype: literal('hook_response'),
    ...output,
    exit_code: optional(number),
    outcome: choice(['success', 'error', 'cancelled']),
  }),
};
