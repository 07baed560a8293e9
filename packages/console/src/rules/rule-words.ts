import type { HubRule } from 'signalbox/hub';
import { shortFolder } from '../model/short-folder.ts';

/** What a rule does, as a label says it. */
export const DOES: Record<HubRule['behavior'], string> = { allow: 'Allow', deny: 'Deny', ask: 'Ask' };

/** Where a rule counts. */
export function whereWords({ folder, session }: Pick<HubRule, 'folder' | 'session'>): string {
  if (folder !== null) return `in ${shortFolder(folder)}`;
  return session === null ? 'everywhere' : 'in one session';
}
