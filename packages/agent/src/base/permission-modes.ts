import type { PermissionMode } from '@signalbox/protocol';

/** The modes that this agent has. Others have more: a name that means nothing here must not stand for one of these. */
export const AGENT_MODES: readonly PermissionMode[] = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
];
