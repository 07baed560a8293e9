import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOf } from '../bridge/folder-lock.ts';
import { readTerminalMeta } from './terminal-folder.ts';

/** A terminal whose process runs. */
export interface RunningTerminal {
  session: string;
  number: number;
  /** Where its shell was started. */
  folder: string;
  /** The process that owns the shell; it ends it with all that it started. */
  pid: number;
  /** Where its process keeps what it knows. */
  data: string;
}

/** The terminals of a home that run, whether or not a hub does. */
export function findTerminals(home: string): RunningTerminal[] {
  const all = join(home, 'terminals');
  const folders = namesIn(all).flatMap((session) =>
    namesIn(join(all, session)).map((number) => join(all, session, number)),
  );
  return folders.flatMap((place) => {
    const meta = readTerminalMeta(place);
    if (!meta || meta.exit || ownerOf(place) === undefined) return [];
    const { session, number, folder, pid } = meta;
    return [{ session, number, folder, pid, data: place }];
  });
}

/** Whether the process of a terminal is there: it still has viewers to tell when its shell has ended. */
export function isTerminalThere({ data }: RunningTerminal): boolean {
  return ownerOf(data) !== undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
