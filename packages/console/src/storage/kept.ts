import type { RetentionLimits } from 'signalbox/hub';
import { t } from '../words/t.ts';

/** What may be kept for a number of days only, under the names of its limits. */
export const KEPT: readonly [name: keyof RetentionLimits & `${string}Days`, what: string][] = [
  ['eventDays', t.storage.kept.eventDays],
  ['promptDays', t.storage.kept.promptDays],
  ['permissionDays', t.storage.kept.permissionDays],
  ['auditDays', t.storage.kept.auditDays],
  ['deviceDays', t.storage.kept.deviceDays],
  ['terminalDays', t.storage.kept.terminalDays],
];
