import { sessionTitle } from '@signalbox/protocol';
import type { PermissionRequest, Session } from 'signalbox/hub';
import { inOneLine } from '../cell-text.ts';
import { fittedTable } from '../text-table.ts';
import { ageWords } from '../time-words.ts';
import { requestWords } from './request-words.ts';
import type { WaitingRequest } from './waiting-requests.ts';

const SHAPE = {
  columns: ['ID', 'ASKS FOR', 'SESSION', 'SINCE'],
  leftOut: ['SINCE', 'SESSION'],
  cut: { column: 'ASKS FOR', least: 24, most: 60 },
} as const;

/** What waits as a table no wider than `room`, oldest first. */
export function requestTable(waiting: readonly WaitingRequest[], now: number, room: number): string {
  return fittedTable(
    SHAPE,
    waiting.map(({ id, permission, session }) => cells(id, permission, session, now)),
    room,
  );
}

function cells(
  id: string,
  permission: PermissionRequest,
  session: Session,
  now: number,
): Record<(typeof SHAPE.columns)[number], string> {
  return {
    ID: inOneLine(id),
    'ASKS FOR': requestWords(permission, session.folder),
    SESSION: inOneLine(sessionTitle(session)),
    SINCE: ageWords(now - permission.openedAt),
  };
}
