import { homedir } from 'node:os';
import type { Session } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { SHORT_ID } from '../hub/pick-session.ts';

/** How much of a title is shown. */
const TITLE_CHARS = 40;

const HEADINGS = ['ID', 'STATE', 'TITLE', 'FOLDER', 'AGENT', 'CHANGED'];

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** The sessions as a table: those that wait for somebody first, then by their last change. */
export function sessionTable(sessions: readonly Session[], now: number): string {
  const rows = [HEADINGS, ...inOrder(sessions).map((session) => cells(session, now))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Those that ask come first, and then the newest. */
export function inOrder(sessions: readonly Session[]): Session[] {
  const rank = ({ state }: Session): number => (state === 'asking' ? 0 : 1);
  return sessions.toSorted((one, other) => rank(one) - rank(other) || other.updatedAt - one.updatedAt);
}

function cells({ id, state, title, folder, agent, updatedAt }: Session, now: number): string[] {
  return [
    id.slice(0, SHORT_ID),
    state,
    short(title ?? ''),
    atHome(folder ?? ''),
    agent ?? '',
    age(now - updatedAt),
  ];
}

function short(title: string): string {
  const line = harmless(title.replaceAll(/\s+/g, ' ').trim());
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
}

function atHome(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

function age(elapsedMs: number): string {
  const [unit, size] = UNITS.find(([, length]) => elapsedMs >= length) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(elapsedMs / size))} ${unit} ago`;
}
