import type { StoredConversation } from 'signalbox/hub';
import { atHome, inOneLine } from '../cell-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { fittedTable } from '../text-table.ts';
import { ageWords } from '../time-words.ts';

const SHAPE = {
  columns: ['ID', 'TITLE', 'FOLDER', 'BRANCH', 'SESSION', 'CHANGED'],
  leftOut: ['BRANCH', 'FOLDER', 'SESSION', 'CHANGED'],
  cut: { column: 'TITLE', least: 16, most: 60 },
} as const;

/** Conversations as a table no wider than `room`, in their order. */
export function conversationTable(
  conversations: readonly StoredConversation[],
  now: number,
  room: number,
): string {
  const rows = conversations.map(({ id, title, folder, branch, session, updatedAt }) => ({
    ID: shortId(id),
    TITLE: inOneLine(title),
    FOLDER: inOneLine(atHome(folder ?? '')),
    BRANCH: inOneLine(branch),
    SESSION: session === null ? '' : shortId(session),
    CHANGED: ageWords(now - updatedAt),
  }));
  return fittedTable(SHAPE, rows, room);
}
