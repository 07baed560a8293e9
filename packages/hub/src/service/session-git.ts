import { sameJson } from '@signalbox/protocol';
import type { Session } from '@signalbox/protocol/hub';
import { repositoryState } from '../changes/repository-state.ts';
import { mayBeInRepository } from '../changes/session-snapshots.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

/** What {@link SessionGitFacts} work with. */
export interface SessionGitParts {
  sessions: LiveSessions;
  worktrees: Worktrees | undefined;
  onTrouble: (error: unknown, session: string) => void;
}

/**
 * Keeps the branch of each session's folder among its facts, and how far it is ahead, behind and changed: looked at when an agent is
 * started, when a turn is over, and when somebody watches the changes; never from time to time.
 */
export class SessionGitFacts {
  readonly #parts: SessionGitParts;
  readonly #looks = new Map<string, 'looking' | 'again'>();
  readonly #stop: () => void;
  #isClosed = false;

  constructor(parts: SessionGitParts) {
    this.#parts = parts;
    this.#stop = parts.sessions.onTurn((live, turn) => {
      if (turn === 'none' && live.session.isLaunched) this.look(live.session);
    });
  }

  /** Look again; of many at once the last one counts. */
  look({ id, folder }: Pick<Session, 'id' | 'folder'>): void {
    if (this.#isClosed || folder === null || !mayBeInRepository(folder)) return;
    if (this.#looks.has(id)) this.#looks.set(id, 'again');
    else void this.#look(id, folder);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #look(id: string, folder: string): Promise<void> {
    const { sessions, worktrees, onTrouble } = this.#parts;
    do {
      this.#looks.set(id, 'looking');
      try {
        // What cannot be looked at, or not in time, is not known any more.
        const git = await repositoryState(folder, worktrees?.baseOf(id)).catch(() => null);
        if (this.#isClosed) break;
        await sessions.use(id, (live) => {
          if (!sameJson(live.session.git, git)) live.noteQuietly({ git });
        });
      } catch (error) {
        onTrouble(error, id);
      }
    } while (this.#looks.get(id) === 'again');
    this.#looks.delete(id);
  }
}
