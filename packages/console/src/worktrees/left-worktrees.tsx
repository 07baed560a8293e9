import { useState } from 'react';
import type { LeftWorktree, Worktree } from 'signalbox/hub';
import { firstOf } from '../model/many.ts';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive, useMayRemove } from '../shell/scope.ts';
import { t } from '../words/t.ts';

/** Worktrees whose sessions are no more: why each is still there, and a sweep of those of which nothing would be lost. */
export function LeftWorktrees() {
  const { api } = useHub();
  const mayLook = useMayDrive();
  const maySweep = useMayRemove();
  const [left, setLeft] = useState<readonly Worktree[]>();
  const [swept, setSwept] = useState<readonly LeftWorktree[]>();
  const [state, setState] = useState<'idle' | 'looking' | 'sweeping'>('idle');
  const [problem, setProblem] = useState('');
  if (!mayLook) return null;
  const attempt = (name: 'looking' | 'sweeping', work: () => Promise<void>): void => {
    setState(name);
    setProblem('');
    work()
      .catch((error: unknown) => setProblem(problemWords(error)))
      .finally(() => setState('idle'));
  };
  const look = async (): Promise<void> =>
    setLeft((await api.worktrees()).filter(({ session }) => session === null));
  const sweep = async (): Promise<void> => {
    const done = await api.sweepWorktrees();
    await look();
    setSwept(done);
  };
  const removed = swept?.filter(({ isRemoved }) => isRemoved).length;
  const [shown, more] = firstOf(left ?? []);
  const goes = left?.filter(({ keeps }) => keeps.length === 0).length ?? 0;
  return (
    <section className="nearby" aria-label={t.worktrees.title}>
      <button
        type="button"
        className="button quiet"
        disabled={state !== 'idle'}
        onClick={() => {
          setSwept(undefined);
          attempt('looking', look);
        }}
      >
        {state === 'looking' ? t.common.looking : t.worktrees.look}
      </button>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {(removed !== undefined || left?.length === 0) && (
        <p className="faint hint" role="status">
          {removed !== undefined && t.worktrees.removed(worktrees(removed))}
          {left?.length === 0 && t.worktrees.allBelong}
        </p>
      )}
      {left && left.length > 0 && (
        <>
          <ul className="board-rows">
            {shown.map(({ folder, branch, keeps }) => (
              <li key={folder} className="board-row left-worktree">
                <span className="mono">{folder}</span>
                {branch !== null && <span className="mono faint">{branch}</span>}
                <span className={keeps.length === 0 ? 'faint' : undefined}>
                  {keeps.length === 0 ? t.worktrees.canGo : t.worktrees.stays(keeps.join(' '))}
                </span>
              </li>
            ))}
          </ul>
          {more.length > 0 && <p className="faint hint">{t.worktrees.more(more.length)}</p>}
          {maySweep && goes > 0 && (
            <button
              type="button"
              className="button"
              disabled={state !== 'idle'}
              onClick={() => attempt('sweeping', sweep)}
            >
              {state === 'sweeping' ? t.worktrees.sweeping : t.worktrees.sweep(worktrees(goes))}
            </button>
          )}
        </>
      )}
    </section>
  );
}

function worktrees(count: number): string {
  return t.worktrees.worktrees(count);
}
