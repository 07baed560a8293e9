import { useEffect, useMemo, useRef, useState } from 'react';
import type { ChangeComment, ChangedFile } from 'signalbox/hub';
import { ChevronIcon } from '../parts/icons.tsx';
import { t } from '../words/t.ts';
import { type DiffLayout, DiffView } from './diff-view.tsx';
import { FileCommentsContext, LostComments } from './line-comments.tsx';
import type { Comparison } from './use-changes.ts';
import type { CommentActs, CommentPlace } from './use-comments.ts';
import type { FileActs } from './use-file-acts.ts';
import { useFileDiff } from './use-file-diff.ts';

/** A letter for what became of a file. */
const LETTERS: Readonly<Record<ChangedFile['kind'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  retyped: 'T',
  untracked: 'U',
  conflicted: '!',
};

/** What all files are shown with. */
export interface FileContext {
  session: string;
  comparison: Comparison;
  version: number;
  layout: DiffLayout;
  /** Undefined where nothing can be done with them. */
  acts: FileActs | undefined;
  isBusy: boolean;
  comments: readonly ChangeComment[];
  /** Undefined where nobody may comment. */
  commentActs: CommentActs | undefined;
}

/** One file: a line, and what changed behind it. */
export function ChangedFileView({
  file,
  isOpenByItself,
  context,
}: {
  file: ChangedFile;
  isOpenByItself: boolean;
  context: FileContext;
}) {
  const [choice, setChoice] = useState<'open' | 'closed'>();
  const isOpen = choice === undefined ? isOpenByItself : choice === 'open';
  const count = context.comments.filter(({ path }) => path === file.path).length;
  return (
    <li className="changed-file">
      <div className="changed-file-head">
        {context.acts && <StageBox file={file} acts={context.acts} isBusy={context.isBusy} />}
        <button
          type="button"
          className="changed-file-name"
          aria-expanded={isOpen}
          onClick={() => setChoice(isOpen ? 'closed' : 'open')}
        >
          <ChevronIcon />
          <Kind file={file} isSaid={context.acts === undefined} />
          <span className="changed-file-path">
            {file.oldPath !== undefined && <span className="faint">{file.oldPath} → </span>}
            {file.path}
          </span>
          {count > 0 && <span className="changed-file-staged">{t.changes.comments(count)}</span>}
          <Counts file={file} />
        </button>
      </div>
      {isOpen && <OpenFile file={file} context={context} />}
    </li>
  );
}

/** Whether it is in the next commit. */
function StageBox({
  file: { path, staged },
  acts,
  isBusy,
}: {
  file: ChangedFile;
  acts: FileActs;
  isBusy: boolean;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = staged === 'part';
  }, [staged]);
  return (
    <label className="stage-box">
      <input
        ref={box}
        type="checkbox"
        aria-label={t.changes.commitPath(path)}
        checked={staged === 'all'}
        disabled={isBusy}
        onChange={() => void (staged === 'all' ? acts.unstage([path]) : acts.stage([path]))}
      />
    </label>
  );
}

/** `isSaid`: whether it is staged is said in words. */
function Kind({ file: { kind, staged }, isSaid }: { file: ChangedFile; isSaid: boolean }) {
  const isStaged = staged !== 'none';
  const title = [
    t.changes.kinds[kind],
    isStaged && (staged === 'all' ? t.changes.staged : t.changes.partlyStaged),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <span className="changed-file-kind" data-kind={kind} title={title} aria-hidden="true">
        {LETTERS[kind]}
      </span>
      <span className="unseen">{title}:</span>
      {isStaged && isSaid && (
        <span className="changed-file-staged" aria-hidden="true">
          {staged === 'all' ? t.changes.staged : t.changes.partlyStaged}
        </span>
      )}
    </>
  );
}

function Counts({ file: { added, removed, isBinary, isSubmodule } }: { file: ChangedFile }) {
  if (isSubmodule) return <span className="faint small">{t.changes.submodule}</span>;
  if (isBinary) return <span className="faint small">{t.changes.binary}</span>;
  if (added === null && removed === null) return null;
  return (
    <span className="change-counts">
      <span className="change-added">+{added ?? 0}</span>{' '}
      <span className="change-removed">−{removed ?? 0}</span>
    </span>
  );
}

function OpenFile({
  file,
  context: { session, comparison, version, layout, acts, isBusy, comments, commentActs },
}: {
  file: ChangedFile;
  context: FileContext;
}) {
  const { diff, problem } = useFileDiff(session, file, comparison, version);
  const [place, setPlace] = useState<CommentPlace>();
  const own = useMemo(
    () =>
      commentActs && {
        path: file.path,
        comments: comments.filter(({ path }) => path === file.path),
        acts: commentActs,
        place,
        setPlace,
      },
    [commentActs, comments, file.path, place],
  );
  return (
    <div className="changed-file-body" aria-busy={!diff && problem === ''}>
      {problem !== '' && <p className="problem">{problem}</p>}
      <FileCommentsContext value={own}>
        <LostComments />
        {diff && <DiffView diff={diff} layout={layout} />}
      </FileCommentsContext>
      {diff && acts && !file.isSubmodule && (
        <div className="changed-file-acts">
          <button
            type="button"
            className="button danger"
            disabled={isBusy}
            onClick={() => void acts.discard(file.path)}
          >
            {t.changes.discard}
          </button>
        </div>
      )}
    </div>
  );
}
