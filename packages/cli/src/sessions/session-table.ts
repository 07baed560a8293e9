import { homedir } from 'node:os';
import { stateWords } from '@signalbox/protocol';
import type { Session } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { SHORT_ID } from '../hub/pick-session.ts';
import { tableWidth, textTable } from '../text-table.ts';
import { ageWords } from '../time-words.ts';

/** How much of a title is shown, and what is left of it where there is little room. */
const TITLE_CHARS = 40;
const FEW_TITLE_CHARS = 16;

const COLUMNS = ['ID', 'STATE', 'TITLE', 'FOLDER', 'AGENT', 'CHANGED'] as const;
type Column = (typeof COLUMNS)[number];

/** What a narrow terminal does without, one after the other. */
const LEFT_OUT: readonly Column[] = ['AGENT', 'FOLDER', 'CHANGED'];

/** The sessions as a table no wider than `room`: those that wait for somebody first, then by their last change. */
export function sessionTable(sessions: readonly Session[], now: number, room: number): string {
  const all = inOrder(sessions).map((session) => cells(session, now));
  const shapes = [COLUMNS, ...LEFT_OUT.map((_, at) => without(LEFT_OUT.slice(0, at + 1)))];
  const drawn = (columns: readonly Column[], chars: number): string[][] => [
    [...columns],
    ...all.map((row) => columns.map((name) => (name === 'TITLE' ? short(row.TITLE, chars) : row[name]))),
  ];
  const fitting = shapes.find((columns) => tableWidth(drawn(columns, FEW_TITLE_CHARS)) <= room);
  const columns = fitting ?? without(LEFT_OUT);
  const spare = room - tableWidth(drawn(columns, FEW_TITLE_CHARS));
  return textTable(drawn(columns, Math.min(TITLE_CHARS, FEW_TITLE_CHARS + Math.max(0, spare))));
}

/** Those that ask come first, and then the newest. */
export function inOrder(sessions: readonly Session[]): Session[] {
  const rank = ({ state }: Session): number => (state === 'asking' ? 0 : 1);
  return sessions.toSorted((one, other) => rank(one) - rank(other) || other.updatedAt - one.updatedAt);
}

function without(columns: readonly Column[]): Column[] {
  return COLUMNS.filter((name) => !columns.includes(name));
}

function cells(session: Session, now: number): Record<Column, string> {
  const { id, title, folder, agent, updatedAt } = session;
  return {
    ID: id.slice(0, SHORT_ID),
    STATE: stateWords(session).word,
    TITLE: inOneLine(title),
    FOLDER: inOneLine(atHome(folder ?? '')),
    AGENT: inOneLine(agent),
    CHANGED: ageWords(now - updatedAt),
  };
}

/** What an agent says of itself must not speak to the terminal. */
function inOneLine(text: string | null): string {
  return harmless((text ?? '').replaceAll(/\s+/g, ' ').trim());
}

function short(title: string, chars: number): string {
  return title.length > chars ? `${title.slice(0, chars - 1)}…` : title;
}

function atHome(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
