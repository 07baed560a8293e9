import type { LeftWorktree } from '@signalbox/protocol/hub';
import { Git } from '@signalbox/transport/git';
import { PATIENT } from '../git/repository.ts';
import { proveWorktree, type WorktreeProof } from './worktree-proof.ts';
import type { WorktreeRecord } from './worktree-record.ts';

/** Remove a worktree of which nothing would be lost, with its branch; otherwise say why it stays. */
export async function removeIfKept(record: WorktreeRecord): Promise<LeftWorktree> {
  const proof = await proveWorktree(record);
  if (proof.keeps.length > 0) return stays(record, proof.keeps);
  return remove(record, proof, []);
}

/** Remove a worktree that is proven ours with what is changed in it; its branch stays when it has commits of its own. */
export async function removeAnyway(record: WorktreeRecord, proof: WorktreeProof): Promise<LeftWorktree> {
  return remove(record, proof, ['--force', '--force']);
}

async function remove(
  record: WorktreeRecord,
  { tip, isThere, isTipKept }: WorktreeProof,
  force: readonly string[],
): Promise<LeftWorktree> {
  const { root, folder, branch } = record;
  // Git looks once more whether it is clean, unless it is forced: with the configuration that the worktree has of its own.
  const git = await Git.open(root, { ...PATIENT, others: isThere ? [folder] : [] });
  const removal = git.run(['worktree', 'remove', ...force, folder]);
  if (isThere) await removal;
  // Somebody removed it by hand, and perhaps pruned it as well.
  else await removal.catch(() => {});
  const isBranchRemoved = tip !== undefined && isTipKept && (await isRemovedAt(git, branch, tip));
  const keeps =
    tip === undefined || isTipKept ? [] : [`${branch} has commits that are neither pushed nor merged.`];
  return { folder, branch: tip === undefined ? null : branch, isRemoved: true, isBranchRemoved, keeps };
}

/** Only where it is still what was looked at. */
async function isRemovedAt(git: Git, branch: string, tip: string): Promise<boolean> {
  if ((await git.line(['update-ref', '-d', `refs/heads/${branch}`, tip])) === undefined) return false;
  await git.line(['config', '--local', '--remove-section', `branch.${branch}`]);
  return true;
}

function stays({ folder, branch }: WorktreeRecord, keeps: string[]): LeftWorktree {
  return { folder, branch, isRemoved: false, isBranchRemoved: false, keeps };
}
