import { SignalboxError } from '@signalbox/protocol';

/** A worktree was to begin at something that is no commit. */
export class BaseNotFoundError extends SignalboxError {
  constructor(base: string | undefined, root: string) {
    const what = base === undefined ? 'There is no commit yet' : `${base} is no branch, tag or commit`;
    super('BASE_NOT_FOUND', `${what} in ${root}. Name one that is there.`);
  }
}

/** The branch of a new worktree is there already. */
export class BranchExistsError extends SignalboxError {
  constructor(branch: string, root: string) {
    super('BRANCH_EXISTS', `${root} has a branch ${branch} already. Name the worktree otherwise.`);
  }
}

/** A name of a worktree is taken. */
export class WorktreeExistsError extends SignalboxError {
  constructor(folder: string) {
    super('WORKTREE_EXISTS', `${folder} is there already. Name the worktree otherwise.`);
  }
}

/** A worktree could not be made; nothing of it is left. */
export class WorktreeNotMadeError extends SignalboxError {
  constructor(folder: string, why: string) {
    super('WORKTREE_NOT_MADE', `The worktree ${folder} was not made, and nothing of it is left: ${why}`);
  }
}

/** No worktree has this name, or a session has none. */
export class WorktreeNotFoundError extends SignalboxError {
  constructor(name: string) {
    super('WORKTREE_NOT_FOUND', `There is no worktree of ${name}.`);
  }
}

/** A worktree is to be removed that a session works in. */
export class WorktreeInUseError extends SignalboxError {
  constructor(folder: string, session: string) {
    super('WORKTREE_IN_USE', `Session ${session} works in ${folder}. Remove the session first.`);
  }
}

/** A folder is to be removed of which nothing proves that the hub has made it. */
export class WorktreeNotOursError extends SignalboxError {
  constructor(folder: string, why: string) {
    super(
      'WORKTREE_NOT_OURS',
      `${folder} is not removed: ${why} If nobody needs it, remove it yourself (git worktree remove).`,
    );
  }
}

/** A repository's set-up of worktrees cannot be read. */
export class SetupInvalidError extends SignalboxError {
  constructor(file: string, why: string) {
    super('SETUP_INVALID', `${file} is no set-up of worktrees: ${why}`);
  }
}

/** A repository's set-up is to be run that nobody trusts, or that has changed since. */
export class SetupNotTrustedError extends SignalboxError {
  constructor(root: string, file: string) {
    super(
      'SETUP_NOT_TRUSTED',
      `${file} says what is done in a new worktree of ${root}, and you have not said that you trust it as it is now. Look at it and trust it (signalbox worktrees trust), or go on without it (--no-setup).`,
    );
  }
}

/** A set-up was to be trusted in words that it does not have any more. */
export class SetupChangedError extends SignalboxError {
  constructor(file: string) {
    super('SETUP_CHANGED', `${file} is not what you were shown. Look at it again.`);
  }
}

/** The set-up command of a worktree failed: its agent is not started. */
export class SetupFailedError extends SignalboxError {
  constructor(command: string, how: string, output: string) {
    super(
      'SETUP_FAILED',
      `The set-up of the worktree ${how}: ${command}. Mend it and start the agent again, which runs it again. ${output.trim()}`.trim(),
    );
  }
}
