import { type Limit, SignalboxError } from '@signalbox/protocol';

/** The folder is in no git repository. */
export class RepositoryNotFoundError extends SignalboxError {
  constructor(folder: string, words: string) {
    const isOthers = words.includes('dubious ownership');
    const why = isOthers
      ? `The repository of ${folder} belongs to another user, and git does not touch it. In a terminal there, git says how to allow it`
      : `${folder} is in no git repository. "git init" makes one`;
    super('REPOSITORY_NOT_FOUND', `${why}.`);
  }
}

/** The repository has no files of its own. */
export class RepositoryBareError extends SignalboxError {
  constructor(folder: string) {
    super(
      'REPOSITORY_BARE',
      `${folder} is a bare repository: there are no files that could have changed. Work in a clone or a worktree of it.`,
    );
  }
}

/** The repository's configuration says that its files are somewhere else. */
export class RepositoryElsewhereError extends SignalboxError {
  constructor(folder: string) {
    super(
      'REPOSITORY_ELSEWHERE',
      `The repository of ${folder} says that its files are in another folder (core.worktree), which is not looked at.`,
    );
  }
}

/** There is nothing to compare with. */
export class ChangeBaseNotFoundError extends SignalboxError {
  constructor(what: string) {
    super('CHANGE_BASE_NOT_FOUND', `${what} Choose something else to compare with.`);
  }
}

/** The file does not differ. */
export class ChangeNotFoundError extends SignalboxError {
  constructor(path: string) {
    super('CHANGE_NOT_FOUND', `${path} does not differ from what it is compared with, or is ignored.`);
  }
}

/** There is as much of something as there may be. */
export class ChangeLimitError extends SignalboxError {
  constructor({ most, what }: Limit) {
    super('CHANGE_LIMIT', `There are ${most} already: ${what}. Close one first.`);
  }
}

/** Another git writes, or left its lock when it was killed. */
export class RepositoryLockedError extends SignalboxError {
  constructor() {
    super(
      'REPOSITORY_LOCKED',
      'Another git works in this repository (there is an index.lock). Try again in a moment; if nothing runs there, remove that file.',
    );
  }
}

/** Something is under way that a commit would disturb. */
export class GitTaskError extends SignalboxError {
  constructor(task: string) {
    super('GIT_TASK_UNDER_WAY', `A ${task} is under way in this repository. End it in a terminal first.`);
  }
}

/** What git would store of a file takes a program that the repository names. */
export class RepositoryFilteredError extends SignalboxError {
  constructor(path: string, filter: string) {
    super(
      'REPOSITORY_FILTERED',
      `${path} goes through the filter ${filter}, a program that the repository itself names and that is not run from here. Do it in a terminal, or set the filter for all repositories (git config --global).`,
    );
  }
}

/** A commit would have nothing in it. */
export class NothingStagedError extends SignalboxError {
  constructor() {
    super('NOTHING_STAGED', 'Nothing is staged that differs from the last commit. Stage some files first.');
  }
}

/** Git would not know whose commit it is. */
export class GitIdentityError extends SignalboxError {
  constructor() {
    super(
      'GIT_IDENTITY_UNKNOWN',
      'Git does not know who commits here. Say it once, in a terminal: git config --global user.name "Your Name", and git config --global user.email "you@example.com".',
    );
  }
}

/** There are no comments to be sent. */
export class NoCommentsError extends SignalboxError {
  constructor() {
    super('NO_COMMENTS', 'There are no comments to be sent: somebody has sent them, or taken them back.');
  }
}

/** A discard that nobody knows, or that was undone or forgotten. */
export class UndoNotFoundError extends SignalboxError {
  constructor() {
    super('UNDO_NOT_FOUND', 'This discard was undone already, or is too long ago: the last 20 are kept.');
  }
}

/** A file is not what a discard has left. */
export class ChangeConflictError extends SignalboxError {
  constructor(path: string, kept: string) {
    super(
      'CHANGE_CONFLICT',
      `${path} has changed since it was discarded, and is left alone. What was discarded is kept in ${kept}.`,
    );
  }
}

/** A file cannot come back without the loss of another one, of which no copy would be kept. */
export class ChangeInWayError extends SignalboxError {
  constructor(path: string, other: string) {
    super(
      'CHANGE_IN_WAY',
      `${path} cannot come back: ${other} is in its place, and would be lost. Discard that as well, or move it away.`,
    );
  }
}
