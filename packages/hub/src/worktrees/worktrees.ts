import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@signalbox/protocol';
import type {
  LeftWorktree,
  NewWorktree,
  Repository,
  SetupOutput,
  Worktree,
  WorktreeSetup,
} from '@signalbox/protocol/hub';
import { KeyedQueue } from '../base/keyed-queue.ts';
import { RepositoryBusyError } from '../git/git-errors.ts';
import {
  branchesOf,
  branchIn,
  commitOf,
  type FolderInRepository,
  repositoryOf,
  underWayIn,
} from '../git/repository.ts';
import { makeWorktree, undoWorktree } from './make-worktree.ts';
import { removeAnyway, removeIfKept } from './remove-worktree.ts';
import { SETUP_FILE, TrustedSetups } from './setup-file.ts';
import { SetupRuns } from './setup-runs.ts';
import { slugOf } from './slug.ts';
import {
  BaseNotFoundError,
  BranchExistsError,
  SetupNotTrustedError,
  WorktreeExistsError,
  WorktreeInUseError,
  WorktreeNotFoundError,
  WorktreeNotOursError,
} from './worktree-errors.ts';
import { proveWorktree } from './worktree-proof.ts';
import { type WorktreeRecord, WorktreeRecords } from './worktree-record.ts';

/** More names of branches would be no list to choose from. */
const MAX_BRANCHES = 200;

/** How many names are tried that are made of the same words. */
const MAX_ALIKE = 1000;

/** Branches of worktrees are told from people's own by it. */
const BRANCH_PREFIX = 'signalbox/';

/** How many worktrees are looked at at once. */
const LOOKS_AT_ONCE = 4;

/** A worktree that was made for a session. */
export interface MadeWorktree {
  /** Where the agent works: as far down as the folder that was named is. */
  folder: string;
  record: WorktreeRecord;
}

/** The working trees that sessions of this hub have of their own. */
export class Worktrees {
  readonly #records: WorktreeRecords;
  readonly #setups: TrustedSetups;
  readonly #runs: SetupRuns;
  /** One change of a repository at a time: two of git that add worktrees at once get in each other's way. */
  readonly #changes = new KeyedQueue();

  constructor(home: string) {
    this.#records = new WorktreeRecords(home);
    this.#setups = new TrustedSetups(home);
    this.#runs = new SetupRuns(this.#records);
  }

  async look(folder: string): Promise<Repository> {
    const { git, root, gitFolder } = await repositoryOf(folder);
    return {
      root,
      branch: await branchIn(git),
      branches: await branchesOf(git, MAX_BRANCHES),
      underWay: underWayIn(gitFolder) ?? null,
      setup: this.#setups.look(root),
    };
  }

  async trustSetup(folder: string, text: string): Promise<Repository> {
    this.#setups.trust((await repositoryOf(folder)).root, text);
    return this.look(folder);
  }

  async distrustSetup(folder: string): Promise<Repository> {
    this.#setups.distrust((await repositoryOf(folder)).root);
    return this.look(folder);
  }

  /**
   * Make a worktree for a session, of the repository that a folder is in; `words` are what it is named for. Made once: whoever
   * asks again for the same session gets the same. {@link keep} or {@link discard} must follow.
   */
  async make(session: string, folder: string, asked: NewWorktree, words: string): Promise<MadeWorktree> {
    const place = await repositoryOf(folder);
    const known = this.#records.ofSession(session);
    if (known) return { folder: withinWorktree(known, place), record: known };
    const commit = await this.#start(place, asked.base);
    const setup = this.#setupFor(place.root, asked);
    const repository = this.#records.nameOf(place.root);
    const base = asked.base ?? (await branchIn(place.git));
    const draft = {
      id: randomUUID(),
      state: 'making',
      repository,
      root: place.root,
      base,
      commit,
      session,
      createdAt: Date.now(),
      setup: asked.setup === 'skip' ? 'skipped' : setup?.command ? 'waiting' : 'none',
      command: setup?.command ?? null,
    } as const;
    const record = await this.#claimed(draft, asked.slug, slugOf(asked.named ?? words) || slugOf(session));
    try {
      await this.#changes.run(record.root, () => makeWorktree(record, setup?.copy ?? []));
    } catch (error) {
      this.#records.forget(record);
      throw error;
    }
    return { folder: withinWorktree(record, place), record };
  }

  /** The session is there: from now on the worktree is its own. */
  keep(record: WorktreeRecord): void {
    this.#records.keep({ ...record, state: 'ready' });
  }

  /** There will be no session for it. */
  async discard(record: WorktreeRecord): Promise<void> {
    await this.#changes.run(record.root, () => undoWorktree(record));
    this.#records.forget(record);
  }

  /** Whether there is a set-up command to run before the agent of a session starts. */
  hasSetup(session: string): boolean {
    const setup = this.#records.ofSession(session)?.setup;
    return setup === 'waiting' || setup === 'failed';
  }

  /** Run the set-up command of a session's worktree, where that is still to be done. Raises `SETUP_FAILED` or `SETUP_NOT_TRUSTED`. */
  async setUp(session: string): Promise<void> {
    const record = this.#records.ofSession(session);
    if (!record || record.command === null || !this.hasSetup(session)) return;
    const setup = this.#setups.look(record.root);
    const isTrusted = setup?.isTrusted && setup.command === record.command;
    if (!isTrusted) throw new SetupNotTrustedError(record.root, join(record.root, SETUP_FILE));
    await this.#runs.run(record, record.command);
  }

  /** What the branch of a session's worktree was made from. */
  baseOf(session: string): string | undefined {
    const record = this.#records.ofSession(session);
    return record && (record.base ?? record.commit);
  }

  stopSetup(session: string): void {
    const record = this.#records.ofSession(session);
    if (record) this.#runs.stop(record);
  }

  /** Raises `WORKTREE_NOT_FOUND`. */
  setupOutput(session: string): SetupOutput {
    const record = this.#records.ofSession(session);
    if (!record) throw new WorktreeNotFoundError(`session ${session}`);
    const { setup: state, command } = record;
    return { state, command, output: this.#runs.outputOf(record) };
  }

  /** The session of a worktree is no more: what would not be lost goes, and what stays is told with its reasons. */
  async release(session: string): Promise<LeftWorktree | undefined> {
    const record = this.#records.ofSession(session);
    return record && this.#removeIfKept(record);
  }

  /** All that there is, and why each would stay; `isSession` says which sessions are there. */
  async list(isSession: (id: string) => Promise<boolean>): Promise<Worktree[]> {
    const known = await inParts(this.#records.all(), async (record): Promise<Worktree> => {
      const { repository, slug, root, folder, branch, createdAt, setup } = record;
      const { isOurs, keeps } = await proveWorktree(record);
      const session = (await isSession(record.session)) ? record.session : null;
      const inUse = session === null ? [] : ['a session works in it.'];
      const facts = { repository, slug, root, folder, branch, createdAt, setup };
      return { ...facts, session, isOurs, keeps: [...inUse, ...keeps] };
    });
    const strangers = this.#records.strangers().map(({ repository, slug, folder }): Worktree => {
      const nothing = { root: null, branch: null, session: null, createdAt: null, setup: 'none' } as const;
      const keeps = ['nothing says that Signalbox has made it.'];
      return { repository, slug, folder, ...nothing, isOurs: false, keeps };
    });
    return [...known, ...strangers];
  }

  /** Remove what has no session and would not be lost. Gives what was removed. */
  async sweep(isSession: (id: string) => Promise<boolean>): Promise<LeftWorktree[]> {
    const left = await inParts(this.#records.all(), async (record) =>
      (await isSession(record.session)) || record.state === 'making' ? undefined : this.#removeIfKept(record),
    );
    return left.filter((one) => one !== undefined);
  }

  /** Remove one that a person names, with what is changed in it. Its branch stays when it has commits of its own. */
  async remove(
    repository: string,
    slug: string,
    isSession: (id: string) => Promise<boolean>,
  ): Promise<LeftWorktree> {
    const named = this.#records.get(repository, slug);
    if (!named) throw this.#unknown(repository, slug);
    return this.#changes.run(named.root, async () => {
      // Looked at now: whoever was first may have removed it, and another session may have taken its name since.
      const record = this.#records.get(repository, slug);
      if (!record || record.id !== named.id) throw this.#unknown(repository, slug);
      if (await isSession(record.session)) throw new WorktreeInUseError(record.folder, record.session);
      const proof = await proveWorktree(record);
      if (!proof.isOurs) throw new WorktreeNotOursError(record.folder, proof.keeps.join(' '));
      const left = await removeAnyway(record, proof);
      this.#records.forget(record);
      return left;
    });
  }

  /** What a hub that was killed has left half done: a worktree that no session has got is undone, if nobody was in it. */
  async settle(isSession: (id: string) => Promise<boolean>): Promise<void> {
    for (const record of this.#records.all().map((one) => this.#runs.settle(one))) {
      if (record.state !== 'making') continue;
      if (await isSession(record.session)) this.keep(record);
      else await this.discard(record);
    }
  }

  /** The commit to begin at. Raises `BASE_NOT_FOUND` or `REPOSITORY_BUSY`. */
  async #start({ git, top, root, gitFolder }: FolderInRepository, base: string | undefined): Promise<string> {
    const underWay = underWayIn(gitFolder);
    if (base === undefined && underWay)
      throw new RepositoryBusyError(top, `${underWay} is under way. End it, or name a base to begin at.`);
    const commit = await commitOf(git, base ?? 'HEAD');
    if (commit === undefined) throw new BaseNotFoundError(base, root);
    return commit;
  }

  /** Raises `SETUP_NOT_TRUSTED` or `SETUP_INVALID`. */
  #setupFor(root: string, { setup: wanted }: NewWorktree): WorktreeSetup | null {
    const setup = wanted === 'skip' ? null : this.#setups.look(root);
    if (setup && !setup.isTrusted) throw new SetupNotTrustedError(root, join(root, SETUP_FILE));
    return setup;
  }

  /** The record of a worktree whose name nobody else has. A name that was made of words gets a number where it is taken. */
  async #claimed(
    draft: Omit<WorktreeRecord, 'slug' | 'folder' | 'branch'>,
    exact: string | undefined,
    words: string,
  ): Promise<WorktreeRecord> {
    const { git } = await repositoryOf(draft.root);
    for (let count = 1; count <= MAX_ALIKE; count += 1) {
      const slug = exact ?? (count === 1 ? words : `${words}-${count}`);
      const folder = this.#records.folderOf(draft.repository, slug);
      const branch = BRANCH_PREFIX + slug;
      const isBranch = (await commitOf(git, `refs/heads/${branch}`)) !== undefined;
      const record = { ...draft, slug, folder, branch };
      if (!isBranch && !existsSync(folder) && this.#records.claim(record)) return record;
      if (exact !== undefined)
        throw isBranch && !existsSync(folder)
          ? new BranchExistsError(branch, draft.root)
          : new WorktreeExistsError(folder);
    }
    throw new WorktreeExistsError(this.#records.folderOf(draft.repository, words));
  }

  async #removeIfKept(record: WorktreeRecord): Promise<LeftWorktree> {
    const left = await this.#changes
      .run(record.root, () => removeIfKept(record))
      .catch((error: unknown) => stayed(record, error));
    if (left.isRemoved) this.#records.forget(record);
    return left;
  }

  #unknown(repository: string, slug: string): Error {
    const stranger = this.#records
      .strangers()
      .find((one) => one.repository === repository && one.slug === slug);
    return stranger
      ? new WorktreeNotOursError(stranger.folder, 'nothing says that Signalbox has made it.')
      : new WorktreeNotFoundError(`${repository}/${slug}`);
  }
}

/** The same place in the worktree, as far as it is there. */
function withinWorktree({ folder }: WorktreeRecord, { below }: FolderInRepository): string {
  const same = join(folder, below);
  return existsSync(same) ? same : folder;
}

function stayed({ folder, branch }: WorktreeRecord, error: unknown): LeftWorktree {
  return { folder, branch, isRemoved: false, isBranchRemoved: false, keeps: [messageOf(error)] };
}

async function inParts<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += LOOKS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + LOOKS_AT_ONCE).map(work))));
  return results;
}
