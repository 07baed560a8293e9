/** Whether a person trusts a folder: whether its files may speak for them. */
export interface FolderTrust {
  folder: string;
  /** What is trusted, or would be: the folder, its repository, or one above it. */
  root: string;
  isTrusted: boolean;
  /** What agents in it leave out, with the files that it stands in. */
  withheld: string[];
}
