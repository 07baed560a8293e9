import type { RetentionLimits } from 'signalbox/hub';

/** What may be kept for a number of days only, under the names of its limits. */
export const KEPT: readonly [name: keyof RetentionLimits & `${string}Days`, what: string][] = [
  ['eventDays', 'What was said'],
  ['promptDays', 'Prompts'],
  ['permissionDays', 'Answered questions'],
  ['auditDays', 'The audit log'],
  ['deviceDays', 'Devices that were signed out'],
  ['terminalDays', 'Terminals that have ended'],
];
