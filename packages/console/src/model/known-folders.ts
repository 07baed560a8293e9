import type { Session } from '@signalbox/protocol/hub';
import { isScripted } from './scripted.ts';

/** More would be a list to search in. */
const MOST = 30;

/** Where people work, the latest first: what somebody types on a phone is a path that was typed before. */
export function knownFolders(sessions: readonly Session[]): string[] {
  const folders = sessions
    .filter((session) => !isScripted(session))
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ folder }) => folder);
  return [...new Set(folders)].filter((folder) => folder !== null).slice(0, MOST);
}
