import { PageFrame } from '../shell/page-frame.tsx';
import { LeftWorktrees } from './left-worktrees.tsx';

/** Worktrees that nobody works in any more. */
export default function WorktreesPage() {
  return (
    <PageFrame title="Left-over worktrees">
      <p className="faint">
        A worktree stays when its session is removed while it has something that is nowhere else.
      </p>
      <LeftWorktrees />
    </PageFrame>
  );
}
