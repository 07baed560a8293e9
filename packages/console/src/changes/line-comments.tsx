import { createContext, use, useState } from 'react';
import type { ChangeComment } from 'signalbox/hub';
import type { DiffRow } from '../model/diff-rows.ts';
import { t } from '../words/t.ts';
import type { CommentActs, CommentPlace } from './use-comments.ts';

/** What the lines of one file are commented with; undefined where nobody may. */
export interface FileComments {
  path: string;
  comments: readonly ChangeComment[];
  acts: CommentActs;
  /** The line that somebody writes about. */
  place: CommentPlace | undefined;
  setPlace: (place: CommentPlace | undefined) => void;
}

export const FileCommentsContext = createContext<FileComments | undefined>(undefined);

/** The number of a line; a press begins a comment on it. */
export function LineNumber({ row, side }: { row: DiffRow; side: 'old' | 'new' }) {
  const file = use(FileCommentsContext);
  const line = row[side];
  // A line that is on both sides is commented where it is now.
  const isMeant = side === 'new' || row.new === undefined;
  if (!file || line === undefined || !isMeant) return <span className="change-number">{line}</span>;
  return (
    <button
      type="button"
      className="change-number"
      aria-label={side === 'old' ? t.changes.commentOnOld(line) : t.changes.commentOn(line)}
      onClick={() => file.setPlace({ path: file.path, side, line, quote: row.text })}
    >
      {line}
    </button>
  );
}

/** What is said of a line, and the words that are being written. */
export function LineComments({ row }: { row: DiffRow }) {
  const file = use(FileCommentsContext);
  if (!file) return null;
  const isHere = ({ side, line }: Pick<CommentPlace, 'side' | 'line'>): boolean =>
    side === 'new' ? row.new === line : row.new === undefined && row.old === line;
  const here = file.comments.filter((comment) => comment.fit === 'fits' && isHere(comment));
  const { place } = file;
  return (
    <>
      {here.map((comment) => (
        <Comment key={comment.id} comment={comment} acts={file.acts} />
      ))}
      {place && isHere(place) && <CommentForm file={file} place={place} />}
    </>
  );
}

/** Comments whose lines are not there any more. */
export function LostComments() {
  const file = use(FileCommentsContext);
  const lost = file?.comments.filter(({ fit }) => fit !== 'fits') ?? [];
  return lost.map((comment) => file && <Comment key={comment.id} comment={comment} acts={file.acts} />);
}

const LOST = {
  fits: '',
  moved: t.changes.lineMoved,
  gone: t.changes.lineGone,
} as const;

function Comment({ comment, acts }: { comment: ChangeComment; acts: CommentActs }) {
  return (
    <div className="line-comment">
      {comment.fit !== 'fits' && (
        <p className="faint small">
          {LOST[comment.fit]} <code>{comment.quote.trim()}</code>
        </p>
      )}
      <p dir="auto">{comment.text}</p>
      <button type="button" className="button quiet" onClick={() => void acts.remove(comment.id)}>
        {t.changes.takeBack}
      </button>
    </div>
  );
}

function CommentForm({ file, place }: { file: FileComments; place: CommentPlace }) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const isKept = await file.acts.add(place, text.trim());
    setBusy(false);
    if (isKept) file.setPlace(undefined);
  };
  return (
    <form
      className="line-comment"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        className="field"
        rows={2}
        aria-label={t.changes.commentOn(place.line)}
        placeholder={t.changes.commentHint}
        value={text}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens because somebody asked for it
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
      <div className="buttons">
        <button type="submit" className="button primary" disabled={isBusy || text.trim() === ''}>
          {t.changes.comment}
        </button>
        <button type="button" className="button quiet" onClick={() => file.setPlace(undefined)}>
          {t.common.cancel}
        </button>
      </div>
    </form>
  );
}
