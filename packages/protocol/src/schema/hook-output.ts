import { oneOf } from './one-of.ts';
import { permissionUpdate } from './permission-update.ts';
import {
  anyObject,
  anything,
  choice,
  echoed,
  either,
  flag,
  type Inbound,
  list,
  literal,
  number,
  object,
  optional,
  text,
} from './wire.ts';

// What a `PermissionRequest` hook decides; unlike a host's answer it may leave the input alone.
const decision = oneOf('behavior', {
  allow: object({
    behavior: literal('allow'),
    updatedInput: optional(anyObject),
    updatedPermissions: optional(echoed(list(permissionUpdate))),
  }),
  deny: object({ behavior: literal('deny'), message: optional(text), interrupt: optional(flag) }),
});

const specificOutput = object({
  hookEventName: text,
  permissionDecision: optional(choice(['allow', 'deny', 'ask', 'defer'])),
  permissionDecisionReason: optional(text),
  updatedInput: optional(anyObject),
  additionalContext: optional(text),
  updatedMCPToolOutput: optional(anything),
  decision: optional(decision),
});

const asyncHookOutput = object({ async: literal(true), asyncTimeout: optional(number) });

const syncHookOutput = object({
  continue: optional(flag),
  suppressOutput: optional(flag),
  stopReason: optional(text),
  decision: optional(choice(['approve', 'block'])),
  reason: optional(text),
  systemMessage: optional(text),
  hookSpecificOutput: optional(specificOutput),
});

export const hookOutput = either(asyncHookOutput, syncHookOutput);

/** What a hook answered: a decision, or `async: true` for one that goes on by itself. */
export type HookOutput = Inbound<typeof hookOutput>;
