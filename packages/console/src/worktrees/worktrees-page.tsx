import { PageFrame } from '../shell/page-frame.tsx';
import { t } from '../words/t.ts';
import { LeftWorktrees } from './left-worktrees.tsx';

/** Worktrees that nobody works in any more. */
export default function WorktreesPage() {
  return (
    <PageFrame title={t.worktrees.title}>
      <p className="faint">{t.worktrees.about}</p>
      <LeftWorktrees />
    </PageFrame>
  );
}
