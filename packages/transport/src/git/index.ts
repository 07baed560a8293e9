// Git, run so that a repository decides nothing but what its files are.

export { Git, type GitOpenOptions, type GitOutput, type GitRunOptions } from './git.ts';
export { GitFailedError, GitTimeoutError, GitUnavailableError, SnapshotLimitError } from './git-errors.ts';
export { alternates, ScratchGit, type ScratchOptions } from './scratch-git.ts';
