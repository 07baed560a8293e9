import { SignalboxError } from '@signalbox/protocol';

/** A folder is in no repository, or in one whose files are not checked out. */
export class NotARepositoryError extends SignalboxError {
  constructor(folder: string, why: string) {
    super('NOT_A_REPOSITORY', `${folder} ${why}`);
  }
}

/** Something else is being done in a repository. */
export class RepositoryBusyError extends SignalboxError {
  constructor(folder: string, why: string) {
    super('REPOSITORY_BUSY', `${folder} is busy: ${why}`);
  }
}
