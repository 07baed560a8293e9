import { expected, flag, object, optional, text } from './wire.ts';

/** A command that a prompt may start with. */
export const slashCommand = object({
  name: text,
  description: expected(text),
  argumentHint: expected(text),
  builtin: optional(flag),
});
