import type { LeftWorktree, Repository, SetupOutput, Worktree } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** What a {@link WorktreeService} works with. */
export interface WorktreeServiceParts {
  store: Store;
  sessions: LiveSessions;
  worktrees: Worktrees;
  decisions: Decisions;
}

/** What people do about repositories and worktrees of this machine. Whoever trusts a set-up has its command run. */
export class WorktreeService {
  readonly #parts: WorktreeServiceParts;

  constructor(parts: WorktreeServiceParts) {
    this.#parts = parts;
  }

  async look(by: Device, folder: string): Promise<Repository> {
    permit(by, 'drive');
    return this.#parts.worktrees.look(launchFolder(folder));
  }

  async trust(by: Device, folder: string, text: string): Promise<Repository> {
    permit(by, 'admin');
    const { worktrees, decisions } = this.#parts;
    const trusted = await worktrees.trustSetup(launchFolder(folder), text);
    await decisions.keep(authorOf(by), { what: 'trust setup', session: null, subject: trusted.root });
    return trusted;
  }

  async distrust(by: Device, folder: string): Promise<Repository> {
    permit(by, 'admin');
    const { worktrees, decisions } = this.#parts;
    const left = await worktrees.distrustSetup(launchFolder(folder));
    await decisions.keep(authorOf(by), { what: 'distrust setup', session: null, subject: left.root });
    return left;
  }

  async list(by: Device): Promise<Worktree[]> {
    permit(by, 'drive');
    return this.#parts.worktrees.list(this.#isSession);
  }

  async sweep(by: Device): Promise<LeftWorktree[]> {
    permit(by, 'admin');
    await this.#parts.decisions.keep(authorOf(by), { what: 'sweep worktrees', session: null });
    return this.#parts.worktrees.sweep(this.#isSession);
  }

  async remove(by: Device, repository: string, slug: string): Promise<LeftWorktree> {
    permit(by, 'admin');
    const { worktrees, decisions } = this.#parts;
    const subject = `${repository}/${slug}`;
    await decisions.keep(authorOf(by), { what: 'remove worktree', session: null, subject });
    return worktrees.remove(repository, slug, this.#isSession);
  }

  async setupOutput(by: Device, session: string): Promise<SetupOutput> {
    permit(by, 'watch', session);
    await this.#parts.sessions.known(session);
    return this.#parts.worktrees.setupOutput(session);
  }

  /** What a hub that was killed has left half done. */
  async tidyUp(): Promise<void> {
    await this.#parts.worktrees.settle(this.#isSession);
  }

  readonly #isSession = async (id: string): Promise<boolean> =>
    (await this.#parts.store.sessions.get(id)) !== undefined;
}
