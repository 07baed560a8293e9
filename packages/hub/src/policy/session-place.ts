import { homedir } from 'node:os';
import { LinkLoopError } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import type { Launch } from '../store/launch.ts';

/** Where a session's agent works, as far as rules go. */
export interface SessionPlace {
  session: string;
  /** Where the hub launched its agent, without links. Null for an agent that came by itself: nobody but itself says where it is. */
  folder: string | null;
  /** The folder of which its folder is a worktree: rules for the one count in the other. */
  origin: string | null;
  /** Where the agent says that it works. It can only make rules stricter: an agent may say anything. */
  claimed: string | null;
  /** The home folder of an agent that runs on this machine. */
  home: string | null;
}

/** Agents that run where they are launched. Any other command may lead anywhere: a container, another machine. */
const OF_THIS_MACHINE = ['claude', 'signalbox-agent', 'scripted'];

/** The place of a session by what the hub itself knows; an agent that may run anywhere counts as one that came by itself. */
export function placeOf(session: string, launch: Launch | undefined): SessionPlace {
  const { spec } = launch ?? {};
  if (!spec || !OF_THIS_MACHINE.includes(spec.agent))
    return { session, folder: null, origin: null, claimed: null, home: null };
  return {
    session,
    folder: realPathOrNull(spec.folder),
    origin: spec.origin === undefined ? null : realPathOrNull(spec.origin),
    claimed: null,
    home: realPathOrNull(spec.env?.HOME ?? homedir()),
  };
}

/** Null where links lead back to themselves. */
export function realPathOrNull(path: string): string | null {
  try {
    return realPath(path);
  } catch (error) {
    if (error instanceof LinkLoopError) return null;
    throw error;
  }
}

/** Whether a path is a folder or something below it. */
export function isWithin(path: string | null, folder: string): boolean {
  if (path === null) return false;
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}
