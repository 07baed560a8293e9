import type { PermissionDestination, PermissionRule } from '@signalbox/protocol';

/** Where rules and folders come from. What a person adds in a session comes first in every list. */
export type RuleSource =
  | PermissionDestination
  | 'flagSettings'
  | 'policySettings'
  | 'command'
  | 'unreadableRules';

/** What one source says. */
export interface PermissionEntry {
  allow: PermissionRule[];
  deny: PermissionRule[];
  ask: PermissionRule[];
  directories: string[];
}
