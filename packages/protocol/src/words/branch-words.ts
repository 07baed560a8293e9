import type { SessionGit } from '../hub/schema/session.ts';

/** How a repository stands, in few signs: `main ↑2 ↓1 ±3`. */
export function branchSigns({ branch, ahead, behind, changed }: SessionGit): string {
  const signs = [
    branch ?? 'no branch',
    ahead > 0 ? `↑${ahead}` : '',
    behind > 0 ? `↓${behind}` : '',
    changed > 0 ? `±${changed}` : '',
  ];
  return signs.filter(Boolean).join(' ');
}

/** The same in words. */
export function branchWords({ branch, ahead, behind, changed }: SessionGit): string {
  const words = [
    branch === null ? 'on no branch' : `branch ${branch}`,
    ahead > 0 ? `${ahead} ahead` : '',
    behind > 0 ? `${behind} behind` : '',
    changed > 0 ? `${changed === 1 ? '1 file' : `${changed} files`} changed and not committed` : '',
  ];
  return words.filter(Boolean).join(', ');
}
