import { choice } from './wire.ts';

/** Every permission mode; `delegate` is only known to old agents, `auto` only to new ones. */
export const PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
  'delegate',
  'auto',
] as const;

/** How an agent treats tool calls that no rule decides. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Inbound modes are plain strings, since a newer peer may name one that we do not have. */
export function isPermissionMode(mode: string): mode is PermissionMode {
  return PERMISSION_MODES.some((known) => known === mode);
}

export const permissionMode = choice(PERMISSION_MODES);
