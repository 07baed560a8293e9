import { oneOf } from './one-of.ts';
import { permissionUpdate } from './permission-update.ts';
import {
  anyObject,
  echoed,
  expected,
  flag,
  type Inbound,
  list,
  literal,
  type Outbound,
  object,
  optional,
  text,
} from './wire.ts';

export const permissionResult = oneOf('behavior', {
  allow: object({
    behavior: literal('allow'),
    updatedInput: expected(anyObject),
    updatedPermissions: optional(echoed(list(permissionUpdate))),
    toolUseID: optional(text),
  }),
  deny: object({
    behavior: literal('deny'),
    message: expected(text),
    interrupt: optional(flag),
    toolUseID: optional(text),
  }),
});

/** A host's answer to `can_use_tool`, as received. */
export type PermissionResult = Inbound<typeof permissionResult>;

/** A host's answer to `can_use_tool`, as sent. */
export type OutboundPermissionResult = Outbound<typeof permissionResult>;
