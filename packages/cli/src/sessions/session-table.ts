import { homedir } from 'node:os';
import { sessionTitle, stateWords } from '@signalbox/protocol';
import type { Session } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { SHORT_ID } from '../hub/pick-session.ts';
import { fittedTable } from '../text-table.ts';
import { ageWords } from '../time-words.ts';

const SHAPE = {
  columns: ['ID', 'STATE', 'TITLE', 'FOLDER', 'AGENT', 'CHANGED'],
  leftOut: ['AGENT', 'FOLDER', 'CHANGED'],
  cut: { column: 'TITLE', least: 16, most: 40 },
} as const;

/** The sessions as a table no wider than `room`: those that wait for somebody first, then by their last change. */
export function sessionTable(sessions: readonly Session[], now: number, room: number): string {
  return fittedTable(
    SHAPE,
    inOrder(sessions).map((session) => cells(session, now)),
    room,
  );
}

/** Those that ask come first, and then the newest. */
export function inOrder(sessions: readonly Session[]): Session[] {
  const rank = ({ state }: Session): number => (state === 'asking' ? 0 : 1);
  return sessions.toSorted((one, other) => rank(one) - rank(other) || other.updatedAt - one.updatedAt);
}

function cells(session: Session, now: number): Record<(typeof SHAPE.columns)[number], string> {
  const { id, folder, agent, updatedAt } = session;
  return {
    ID: id.slice(0, SHORT_ID),
    STATE: stateWords(session).word,
    TITLE: inOneLine(sessionTitle(session)),
    FOLDER: inOneLine(atHome(folder ?? '')),
    AGENT: inOneLine(agent),
    CHANGED: ageWords(now - updatedAt),
  };
}

/** What an agent says of itself must not speak to the terminal. */
function inOneLine(text: string | null): string {
  return harmless((text ?? '').replaceAll(/\s+/g, ' ').trim());
}

function atHome(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
