import { branchSigns, sessionTitle, stateWords } from '@signalbox/protocol';
import { groupByLoop } from '@signalbox/protocol/loop';
import type { Session } from 'signalbox/hub';
import { atHome, inOneLine } from '../cell-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { fittedTable } from '../text-table.ts';
import { ageWords } from '../time-words.ts';

const SHAPE = {
  columns: ['ID', 'STATE', 'TITLE', 'FOLDER', 'BRANCH', 'AGENT', 'CHANGED'],
  leftOut: ['BRANCH', 'AGENT', 'FOLDER', 'CHANGED'],
  cut: { column: 'TITLE', least: 16, most: 40 },
} as const;

/** Where no session is in a repository, that is not said of each. */
const WITHOUT_BRANCH = {
  columns: SHAPE.columns.filter((name) => name !== 'BRANCH'),
  leftOut: SHAPE.leftOut.filter((name) => name !== 'BRANCH'),
};

/** Before the title of an iteration that stands below another one of its loop. */
const BELOW = '└ ';

/**
 * The sessions as a table no wider than `room`: those that wait for somebody first, then by their last change, and below
 * each the other iterations of its loop.
 */
export function sessionTable(sessions: readonly Session[], now: number, room: number): string {
  return fittedTable(
    sessions.some(({ git }) => git !== null) ? SHAPE : { ...SHAPE, ...WITHOUT_BRANCH },
    groupByLoop(inOrder(sessions)).flatMap(({ first, others }) => [
      cells(first, now),
      ...others.map((session) => cells(session, now, BELOW)),
    ]),
    room,
  );
}

/** Those that ask come first, and then the newest. */
export function inOrder(sessions: readonly Session[]): Session[] {
  const rank = ({ state }: Session): number => (state === 'asking' ? 0 : 1);
  return sessions.toSorted((one, other) => rank(one) - rank(other) || other.updatedAt - one.updatedAt);
}

function cells(session: Session, now: number, before = ''): Record<(typeof SHAPE.columns)[number], string> {
  const { id, folder, git, agent, updatedAt } = session;
  return {
    ID: shortId(id),
    STATE: inOneLine(stateWords(session).word),
    TITLE: before + inOneLine(sessionTitle(session)),
    FOLDER: inOneLine(atHome(folder ?? '')),
    BRANCH: git ? inOneLine(branchSigns(git)) : '',
    AGENT: inOneLine(agent),
    CHANGED: ageWords(now - updatedAt),
  };
}
