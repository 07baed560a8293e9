import type { Loop, Session, SessionState } from '@signalbox/protocol/hub';
import { groupByLoop } from '@signalbox/protocol/loop';
import { t } from '../words/t.ts';

/** How the rows of the board are put together. */
export type Grouping = 'state' | 'folder';

export interface BoardGroup {
  key: string;
  /** What stands above it. */
  title: string;
  sessions: readonly Session[];
}

/** The group of the sessions without an agent. */
export const NOT_RUNNING = 'not-running';

/** The states as the board tells them apart, in their order. */
const STATES: readonly [key: string, title: string, states: readonly SessionState[]][] = [
  ['asking', t.board.asksYou, ['asking']],
  ['working', t.board.working, ['active', 'starting', 'terminal']],
  ['ready', t.board.ready, ['idle']],
  [NOT_RUNNING, t.board.notRunning, ['disconnected', 'exited']],
];

/** The sessions in groups, each in the order that they have. */
export function boardGroups(sessions: readonly Session[], grouping: Grouping): readonly BoardGroup[] {
  return grouping === 'state' ? byState(sessions) : byFolder(sessions);
}

/** Tiles side by side, in the order of their states: a grid for each state would be mostly empty. */
export function tileGroups(sessions: readonly Session[], grouping: Grouping): readonly BoardGroup[] {
  if (grouping === 'folder') return byFolder(sessions);
  const groups = byState(sessions);
  const atWork = groups.filter(({ key }) => key !== NOT_RUNNING).flatMap(({ sessions: inIt }) => inIt);
  const agents = { key: 'agents', title: t.board.agents, sessions: atWork };
  return [...(atWork.length > 0 ? [agents] : []), ...groups.filter(({ key }) => key === NOT_RUNNING)];
}

function byState(sessions: readonly Session[]): BoardGroup[] {
  const known = STATES.map(([key, title, states]) => ({
    key,
    title,
    sessions: sessions.filter(({ state }) => states.includes(state)),
  }));
  // A hub that is newer may know more of them.
  const others = sessions.filter(({ state }) => STATES.every(([, , states]) => !states.includes(state)));
  return [...known, { key: 'other', title: t.board.other, sessions: others }].filter(
    (group) => group.sessions.length > 0,
  );
}

/** A folder whose agents ask comes first. */
function byFolder(sessions: readonly Session[]): BoardGroup[] {
  const folders = new Map<string, Session[]>();
  for (const session of sessions) {
    const folder = session.folder ?? '';
    folders.set(folder, [...(folders.get(folder) ?? []), session]);
  }
  return [...folders].map(([folder, inIt]) => ({
    key: folder,
    title: folder === '' ? t.board.withoutFolder : folder,
    sessions: inIt,
  }));
}

/** The sessions of these loops, each loop's newest iteration first, and all others. */
export function apartFromLoops(
  sessions: readonly Session[],
  loops: readonly Loop[],
): { inLoops: ReadonlyMap<string, readonly Session[]>; others: readonly Session[] } {
  const known = new Set(loops.map(({ id }) => id));
  const isKnown = ({ loop }: Session): boolean => loop !== null && known.has(loop.id);
  const inLoops = new Map<string, readonly Session[]>();
  for (const { loop, first, others } of groupByLoop(sessions.filter(isKnown)))
    if (loop !== null)
      inLoops.set(
        loop,
        [first, ...others].toSorted(
          (one, other) => (other.loop?.iteration ?? 0) - (one.loop?.iteration ?? 0),
        ),
      );
  return { inLoops, others: sessions.filter((session) => !isKnown(session)) };
}
