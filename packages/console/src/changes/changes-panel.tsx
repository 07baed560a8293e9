// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no names
import './changes.css';
import { useMemo, useState } from 'react';
import type { ChangeComment, FolderChangeList } from 'signalbox/hub';
import { CloseIcon } from '../parts/icons.tsx';
import { Notice } from '../parts/notice.tsx';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { BaseChoice } from './base-choice.tsx';
import { ChangedFileView } from './changed-file-view.tsx';
import { CommitBar } from './commit-bar.tsx';
import type { DiffLayout } from './diff-view.tsx';
import { type Comparison, useChanges } from './use-changes.ts';
import { type CommentActs, useComments } from './use-comments.ts';
import { useFileActs } from './use-file-acts.ts';

/** Fewer files than this are shown open. */
const FEW_FILES = 5;

/** As many files as are drawn at once. */
const PAGE_FILES = 300;

const AGAINST_HEAD: Comparison = { base: 'head' };

/** What changed in the folder of a session, file by file, live. */
export default function ChangesPanel({
  session,
  turn,
}: {
  session: string;
  /** The turn whose changes are shown at first. */
  turn: number | undefined;
}) {
  const [comparison, setComparison] = useState<Comparison>(
    turn === undefined ? AGAINST_HEAD : { base: 'turn', turn },
  );
  const [layout, setLayout] = useState<DiffLayout>('unified');
  const { list, problem, version, load } = useChanges(session, comparison);
  const { acts, isBusy, problem: trouble, done, forget } = useFileActs(session, load);
  const {
    comments,
    acts: commentActs,
    problem: lost,
    forget: forgetLost,
  } = useComments(session, comparison, version);
  const mayDrive = useMayDrive();
  // What differs from another base cannot be staged as such.
  const mayAct = mayDrive && comparison.base === 'head';
  const context = {
    session,
    comparison,
    version,
    layout,
    acts: mayAct ? acts : undefined,
    isBusy,
    comments,
    commentActs: mayDrive ? commentActs : undefined,
  };
  return (
    <section className="changes" aria-label={t.changes.title}>
      <div className="changes-head">
        <BaseChoice session={session} comparison={comparison} onChange={setComparison} />
        <button
          type="button"
          className="button quiet only-wide"
          aria-pressed={layout === 'split'}
          onClick={() => setLayout(layout === 'split' ? 'unified' : 'split')}
        >
          {t.changes.sideBySide}
        </button>
        {list && <Summary list={list} />}
      </div>
      {lost !== '' && <Notice words={lost} onClose={forgetLost} />}
      {trouble !== '' && <Notice words={trouble} onClose={forget} />}
      {done && trouble === '' && (
        <div className="changes-undo" role="status">
          <span className="changed-file-path">
            {'commit' in done ? t.changes.committed(done.commit.slice(0, 8)) : t.changes.discarded(done.path)}
          </span>
          {'discard' in done && (
            <button type="button" className="button" disabled={isBusy} onClick={() => void acts.undo(done)}>
              {t.common.undo}
            </button>
          )}
          <button type="button" className="icon-button" aria-label={t.common.dismiss} onClick={forget}>
            <CloseIcon />
          </button>
        </div>
      )}
      <div className="changes-body">
        {problem !== '' && (
          <div className="calm">
            <h2>{t.changes.cannotShow}</h2>
            <p role="alert">{problem}</p>
          </div>
        )}
        {!list && problem === '' && <div className="calm" aria-busy="true" />}
        {list && <Notes list={list} />}
        {list && <FileList list={list} context={context} />}
      </div>
      {mayDrive && comments.length > 0 && <CommentsBar comments={comments} acts={commentActs} />}
      {mayAct && list && list.files.length > 0 && (
        <CommitBar files={list.files} acts={acts} isBusy={isBusy} />
      )}
    </section>
  );
}

/** Sends the comments; those whose file is not among the changes any more are counted too. */
function CommentsBar({ comments, acts }: { comments: readonly ChangeComment[]; acts: CommentActs }) {
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    await acts.send();
    setBusy(false);
  };
  const lost = comments.filter(({ fit }) => fit !== 'fits').length;
  return (
    <div className="commit-bar">
      <p className="small">
        {t.changes.commentsWait(comments.length)}
        {lost > 0 && <span className="faint">{t.changes.commentsLost(lost)}</span>}
      </p>
      <div className="buttons">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void send()}>
          {t.changes.sendToAgent}
        </button>
      </div>
    </div>
  );
}

function FileList({
  list: { files, isCut },
  context,
}: {
  list: FolderChangeList;
  context: Parameters<typeof ChangedFileView>[0]['context'];
}) {
  const [most, setMost] = useState(PAGE_FILES);
  if (files.length === 0)
    return (
      <div className="calm">
        <h2>{t.changes.nothing}</h2>
        <p>{t.changes.nothingAbout}</p>
      </div>
    );
  return (
    <>
      <ul className="changed-files">
        {files.slice(0, most).map((file) => (
          <ChangedFileView
            key={file.path}
            file={file}
            isOpenByItself={files.length <= FEW_FILES}
            context={context}
          />
        ))}
      </ul>
      {files.length > most && (
        <button type="button" className="button quiet" onClick={() => setMost(most + PAGE_FILES)}>
          {t.changes.showMore(files.length)}
        </button>
      )}
      {isCut && <p className="change-note">{t.changes.tooMany}</p>}
    </>
  );
}

function Summary({ list: { branch, head, upstream, ahead, behind, files } }: { list: FolderChangeList }) {
  const totals = useMemo(
    () => ({
      added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
      removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
    }),
    [files],
  );
  const isApart = upstream !== null && (ahead > 0 || behind > 0);
  return (
    <p className="changes-summary small">
      <span className="mono">{branch ?? head?.slice(0, 8) ?? t.changes.noCommit}</span>
      {isApart && <span className="faint">{t.changes.aheadBehind(ahead, behind)}</span>}
      <span className="faint">{t.common.files(files.length)}</span>
      <span className="change-counts">
        <span className="change-added">+{totals.added}</span>{' '}
        <span className="change-removed">−{totals.removed}</span>
      </span>
    </p>
  );
}

/** What is special about the repository at the moment. */
function Notes({ list: { underWay, isLocked } }: { list: FolderChangeList }) {
  return (
    <>
      {underWay !== null && <p className="change-note">{t.changes.underWay(underWay)}</p>}
      {isLocked && <p className="change-note">{t.changes.locked}</p>}
    </>
  );
}
