import { LIMITS } from '@signalbox/protocol';
import type { SessionGit } from '@signalbox/protocol/hub';
import { commitOf } from '../git/repository.ts';
import { Repository } from './repository.ts';
import { readStatus } from './status.ts';

/** How the repository of a folder stands; `base` is what its branch was made from. Raises what `Repository.open` does. */
export async function repositoryState(folder: string, base: string | undefined): Promise<SessionGit> {
  const repository = await Repository.open(folder, { seconds: LIMITS.snapshotSeconds.most });
  const { branch, upstream, ahead, behind, files } = await readStatus(repository);
  const since = upstream === null && base !== undefined ? await countsSince(repository, base) : undefined;
  return { branch, ahead, behind, ...since, changed: files.length };
}

async function countsSince(
  { git }: Repository,
  base: string,
): Promise<Pick<SessionGit, 'ahead' | 'behind'> | undefined> {
  const commit = await commitOf(git, base);
  if (commit === undefined) return undefined;
  const counts = await git.line(['rev-list', '--left-right', '--count', `${commit}...HEAD`]);
  const [behind = 0, ahead = 0] = (counts ?? '').split('\t').map(Number);
  return { ahead, behind };
}
