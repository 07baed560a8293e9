import { sameJson } from '@signalbox/protocol';
import type { Session } from '@signalbox/protocol/hub';
import { repositoryState } from '../changes/repository-state.ts';
import { mayBeInRepository } from '../changes/session-snapshots.ts';
import { launchHere } from '../launch/launches-here.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Store } from '../store/store.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

/** What {@link SessionGitFacts} work with. */
export interface SessionGitParts {
  store: Pick<Store, 'launches'>;
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
      if (turn === 'none' && live.session.isLaunched) this.look(live.id);
    });
  }

  /** Look again, where the hub launched the agent: that may say that it is anywhere. Of many at once the last one counts. */
  look(id: string): void {
    if (this.#isClosed) return;
    if (this.#looks.has(id)) this.#looks.set(id, 'again');
    else void this.#look(id);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #look(id: string): Promise<void> {
    const { sessions, onTrouble } = this.#parts;
    do {
      this.#looks.set(id, 'looking');
      try {
        const git = await this.#stateOf(id);
        if (this.#isClosed) break;
        if (git === undefined) continue;
        await sessions.use(id, (live) => {
          if (!sameJson(live.session.git, git)) live.noteQuietly({ git });
        });
      } catch (error) {
        onTrouble(error, id);
      }
    } while (this.#looks.get(id) === 'again');
    this.#looks.delete(id);
  }

  /** Undefined where there is nothing to look at; null for what cannot be looked at, or not in time: it is not known any more. */
  async #stateOf(id: string): Promise<Session['git'] | undefined> {
    const { store, worktrees } = this.#parts;
    const launch = await launchHere(store.launches, id);
    if (!launch || !mayBeInRepository(launch.spec.folder)) return undefined;
    return repositoryState(launch.spec.folder, worktrees?.baseOf(id)).catch(() => null);
  }
}
