import type { ChangeBase } from '@signalbox/protocol/hub';
import { commitOf as commitNamed } from '../git/repository.ts';
import { ChangeBaseNotFoundError } from './changes-errors.ts';
import type { Repository } from './repository.ts';

/** What to compare with, as a person names it. */
export interface NamedBase {
  base: ChangeBase;
  branch?: string;
  /** For the base `turn`: the entry of the record with which it ended. */
  turn?: number;
}

/** What git reads as more than a name. */
const NO_NAME = /[\0- ~^:?*[\\]|\.\.|@\{/;

/** The commit that files are compared with, of all bases but `start` and `turn`; of the base `head`, null before the first one. Raises `CHANGE_BASE_NOT_FOUND`. */
export async function commitOf({ git }: Repository, { base, branch }: NamedBase): Promise<string | null> {
  if (base === 'head') return (await commitNamed(git, 'HEAD')) ?? null;
  if (branch === undefined) throw new ChangeBaseNotFoundError('No branch was named.');
  const found = NO_NAME.test(branch)
    ? undefined
    : ((await commitNamed(git, `refs/heads/${branch}`)) ??
      (await commitNamed(git, `refs/remotes/${branch}`)));
  if (found === undefined) throw new ChangeBaseNotFoundError(`There is no branch ${branch}.`);
  if (base === 'branch') return found;
  const shared = await git.line(['merge-base', 'HEAD', found]);
  if (!shared) throw new ChangeBaseNotFoundError(`HEAD and ${branch} have no commit in common.`);
  return shared;
}

/** A tree of the commit; before the first commit that of no files. */
export function treeOf({ git }: Repository, commit: string | null): Promise<string> {
  return commit === null ? git.text(['hash-object', '-t', 'tree', '--stdin']) : Promise.resolve(commit);
}
