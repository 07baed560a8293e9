import type { HubRule } from 'signalbox/hub';
import { shortFolder } from '../model/short-folder.ts';
import { t } from '../words/t.ts';

/** What a rule does, as a label says it. */
export const DOES: Record<HubRule['behavior'], string> = t.rules.behaviors;

/** Where a rule counts. */
export function whereWords({ folder, session }: Pick<HubRule, 'folder' | 'session'>): string {
  if (folder !== null) return t.rules.inFolder(shortFolder(folder));
  return session === null ? t.rules.everywhere : t.rules.inOneSession;
}
