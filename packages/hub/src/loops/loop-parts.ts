import type { Author, Loop, LoopLaunch, Session, SessionLoop } from '@signalbox/protocol/hub';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Store } from '../store/store.ts';

/** The agent of an iteration that is to be started. */
export interface IterationLaunch {
  id: string;
  title: string;
  launch: LoopLaunch & { args?: string[] };
  loop: SessionLoop;
}

/** How loops have agents run: as the services do it for people, in the name of whoever began the loop. */
export interface LoopLaunches {
  /** The same with the whole path of its folder. Raises `AGENT_NOT_FOUND` or `FOLDER_NOT_FOUND`. */
  check(launch: LoopLaunch): LoopLaunch;
  /** Does nothing that it has done already for a session of this id. Raises `AGENT_NOT_STARTED`. */
  launch(author: Author, launch: IterationLaunch): Promise<Session>;
  /** Start the agent of a session again, with the conversation that there was. */
  restart(author: Author, session: string): Promise<void>;
  /** Settles when the agent of a session is gone. */
  stop(session: string): Promise<void>;
}

/** What loops work with. */
export interface LoopParts {
  store: Store;
  sessions: LiveSessions;
  launches: LoopLaunches;
  /** The folder in which loops keep what they compare folders with. */
  scratch: string;
  onChange: (loop: Loop) => void;
  onTrouble: (error: unknown, session?: string) => void;
}
