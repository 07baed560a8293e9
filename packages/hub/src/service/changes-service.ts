import { join } from 'node:path';
import type { FileDiff, FolderChangeList, TurnChanges } from '@signalbox/protocol/hub';
import { alternates } from '@signalbox/transport/git';
import { authorOf } from '../auth/identity.ts';
import { commitStaged, stageFiles, unstageFiles } from '../changes/act-on-files.ts';
import { commitOf, type NamedBase } from '../changes/change-base.ts';
import { type DiffRequest, diffFile, listBranches, listChanges } from '../changes/changes.ts';
import { DiscardedFiles } from '../changes/discarded-files.ts';
import { Repository } from '../changes/repository.ts';
import { RepositoryWatches } from '../changes/repository-watches.ts';
import { diffOfTurn, diffSinceStart, listOfTurn, listSinceStart } from '../changes/snapshot-changes.ts';
import { bridgeIdOf } from '../launch/bridge-id.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';
import { folderOfSession } from './session-folder.ts';
import type { SessionGitFacts } from './session-git.ts';
import type { TurnSnapshots } from './turn-snapshots.ts';

/** What a {@link ChangesService} works with. */
export interface ChangesServiceParts {
  store: Store;
  sessions: LiveSessions;
  decisions: Decisions;
  snapshots: TurnSnapshots;
  git: SessionGitFacts;
  /** Where Signalbox keeps its data. */
  home: string;
}

/** What people see of the files in a session's folder, on the machine of the hub, and do with them. */
export class ChangesService {
  readonly #parts: ChangesServiceParts;
  /** Several who look at the same time get the same answer: git is asked once. */
  readonly #asked = new Map<string, Promise<FolderChangeList>>();
  readonly #opening = new Map<string, Promise<Repository>>();
  readonly #watches = new RepositoryWatches();
  /** What is done in a repository is done one after the other: git would refuse the second. */
  readonly #working = new Map<string, Promise<unknown>>();

  constructor(parts: ChangesServiceParts) {
    this.#parts = parts;
  }

  async list(by: Device, session: string, named: NamedBase): Promise<FolderChangeList> {
    const folder = await this.#folder(by, session);
    const key = JSON.stringify([session, folder, named]);
    return shared(this.#asked, key, () => this.#list(folder, session, named));
  }

  async diff(by: Device, session: string, request: DiffRequest): Promise<FileDiff> {
    const repository = await this.repository(by, session);
    const snapshots = this.#parts.snapshots.of(session);
    if (request.base === 'start') return diffSinceStart(repository, snapshots, request);
    if (request.base === 'turn')
      return diffOfTurn(repository, await snapshots.turn(repository, request.turn), request);
    return diffFile(repository, request);
  }

  /** What its last turns changed, the newest first. */
  async turns(by: Device, session: string): Promise<TurnChanges[]> {
    await this.#folder(by, session);
    return this.#parts.snapshots.of(session).turns();
  }

  /** The commit or tree that files are compared with; null before the first commit. Raises `CHANGE_BASE_NOT_FOUND`. */
  async baseOf(repository: Repository, session: string, named: NamedBase): Promise<string | null> {
    const snapshots = this.#parts.snapshots.of(session);
    if (named.base === 'start') return (await snapshots.start(repository)).tree;
    if (named.base === 'turn') return (await snapshots.turn(repository, named.turn)).before;
    return commitOf(repository, named);
  }

  async branches(by: Device, session: string): Promise<{ items: string[]; isCut: boolean }> {
    return listBranches(await this.repository(by, session));
  }

  /** The repository of a session's folder, for one who may look at it and at what it was: not to write to. */
  async repository(by: Device, session: string): Promise<Repository> {
    return this.#opened(await this.#folder(by, session), session);
  }

  /** Hear of changes, as long as one looks; settles with the way to stop it when none is missed any more. */
  async watch(by: Device, session: string, onChange: () => void): Promise<() => void> {
    const folder = await this.#folder(by, session);
    const repository = await shared(this.#opening, folder, () => Repository.open(folder));
    return this.#watches.add(repository, () => {
      onChange();
      this.#parts.git.look(session);
    });
  }

  async stage(by: Device, session: string, paths: readonly string[]): Promise<Record<string, never>> {
    await this.#work(by, session, 'stage files', paths, (repository) => stageFiles(repository, paths));
    return {};
  }

  async unstage(by: Device, session: string, paths: readonly string[]): Promise<Record<string, never>> {
    await this.#work(by, session, 'unstage files', paths, (repository) => unstageFiles(repository, paths));
    return {};
  }

  /** Make files what they are in the last commit; the name of it, to undo it by. */
  discard(by: Device, session: string, paths: readonly string[]): Promise<string> {
    return this.#work(by, session, 'discard files', paths, (repository) =>
      this.#discarded(session).discard(repository, paths),
    );
  }

  async undo(by: Device, session: string, discard: string): Promise<Record<string, never>> {
    await this.#work(by, session, 'undo discard', [discard], (repository) =>
      this.#discarded(session).undo(repository, discard),
    );
    return {};
  }

  /** Commit what is staged; the name of the commit. */
  commit(by: Device, session: string, message: string): Promise<string> {
    return this.#work(by, session, 'commit', [], (repository) => commitStaged(repository, message));
  }

  /** The session is no more, and nothing of it can be undone. */
  async forget(by: Device, session: string): Promise<void> {
    permit(by, 'admin', session);
    await this.#parts.snapshots.forget(session);
  }

  async close(): Promise<void> {
    this.#watches.close();
    this.#parts.git.close();
    await this.#parts.snapshots.close();
  }

  async #list(folder: string, session: string, named: NamedBase): Promise<FolderChangeList> {
    const repository = await this.#opened(folder, session);
    const snapshots = this.#parts.snapshots.of(session);
    if (named.base === 'start') return listSinceStart(repository, snapshots);
    if (named.base === 'turn') return listOfTurn(repository, await snapshots.turn(repository, named.turn));
    return listChanges(repository, named);
  }

  #opened(folder: string, session: string): Promise<Repository> {
    return shared(this.#opening, JSON.stringify([session, folder]), () =>
      Repository.open(folder, { env: alternates(this.#parts.snapshots.of(session).objects) }),
    );
  }

  /** With the audit entry first: what somebody was about to do is known, whatever comes of it. */
  async #work<Result>(
    by: Device,
    session: string,
    what: string,
    subjects: readonly string[],
    work: (repository: Repository) => Promise<Result>,
  ): Promise<Result> {
    permit(by, 'drive', session);
    // What it writes must not lean on objects that go with the session.
    const repository = await Repository.open(await this.#folder(by, session));
    const [first, ...more] = subjects;
    const subject =
      first === undefined ? null : more.length === 0 ? first : `${first} and ${more.length} more`;
    await this.#parts.decisions.keep(authorOf(by), { what, session, subject, isPrivate: true });
    const { root } = repository;
    const before = this.#working.get(root) ?? Promise.resolve();
    const done = before.then(() => work(repository));
    const settled = done.catch(() => {});
    this.#working.set(root, settled);
    try {
      return await done;
    } finally {
      if (this.#working.get(root) === settled) this.#working.delete(root);
    }
  }

  #discarded(session: string): DiscardedFiles {
    return new DiscardedFiles(join(this.#kept(session), 'discarded'));
  }

  #kept(session: string): string {
    return join(this.#parts.home, 'changes', bridgeIdOf(session));
  }

  #folder(by: Device, session: string): Promise<string> {
    return folderOfSession(by, session, this.#parts);
  }
}

/** What is asked for while the same is being found out gets the same answer. */
async function shared<Result>(
  asked: Map<string, Promise<Result>>,
  key: string,
  ask: () => Promise<Result>,
): Promise<Result> {
  const before = asked.get(key);
  if (before) return before;
  const answer = ask();
  asked.set(key, answer);
  try {
    return await answer;
  } finally {
    asked.delete(key);
  }
}
