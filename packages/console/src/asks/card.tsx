import { type ReactNode, use, useEffect, useRef } from 'react';
import { DownIcon } from '../parts/icons.tsx';
import { t } from '../words/t.ts';
import { useCardPlace } from './card-context.ts';
import { useEndSeen } from './use-end-seen.ts';
import { UndoContext } from './use-sending.ts';

/** How much of what is read stays in sight when it is read on. */
const KEPT_SHARE = 0.15;

/**
 * The frame of what is asked: all of it in a part that scrolls, and what ends it below, which never covers anything.
 * `foot` is told whether the end has been in sight.
 */
export function Card({
  title,
  where = '',
  problem,
  mustRead = false,
  tools,
  below,
  foot,
  children,
}: {
  title: string;
  where?: string;
  problem: string;
  /** It is a decision about what is shown: a yes waits until all of it was in sight. */
  mustRead?: boolean;
  /** What else can be done with it, in its head. */
  tools?: ReactNode;
  /** What need not be read for a yes. */
  below?: ReactNode;
  foot: (isRead: boolean) => ReactNode;
  children: ReactNode;
}) {
  const { isFresh, guard, pager } = useCardPlace();
  const { end, isSeen } = useEndSeen<HTMLDivElement>();
  const { end: bottom, isSeen: isBottomSeen, isInSight: isBottomInSight } = useEndSeen<HTMLDivElement>();
  const undo = use(UndoContext);
  const body = useRef<HTMLDivElement>(null);
  const isReadingOn = useRef(false);
  // Whoever reads on quickly passes the end between two looks at it.
  const isRead = isSeen || isBottomSeen || !mustRead;
  // Until it is known how long it is, it need not be called unread.
  const hasMore = !isBottomInSight && !isFresh;

  const readOn = (): void => {
    const { current: page } = body;
    isReadingOn.current = true;
    page?.scrollBy({ top: page.clientHeight * (1 - KEPT_SHARE) });
  };
  useEffect(() => {
    // The button that had the focus is gone.
    if (!hasMore && isReadingOn.current) body.current?.focus();
  }, [hasMore]);

  return (
    <article className="card" aria-label={title}>
      <header className="card-head">
        <h2 className="card-title">
          {title} {where !== '' && <code>{where}</code>}
        </h2>
        <div className="card-controls">
          {tools && undo === undefined && <div className="card-tools">{tools}</div>}
          {pager}
        </div>
      </header>
      <div
        ref={body}
        className="card-body"
        data-more={hasMore}
        role="group"
        aria-label={t.asks.inFull}
        tabIndex={0}
      >
        {children}
        <div ref={end} className="card-end" />
        {below}
        <div ref={bottom} className="card-end" />
      </div>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <fieldset className="card-foot" disabled={isFresh} hidden={undo !== undefined} onClickCapture={guard}>
        {hasMore && (
          <button
            type="button"
            className="button read-on"
            aria-label={t.asks.readOn}
            title={t.asks.readOn}
            onClick={readOn}
          >
            <DownIcon />
          </button>
        )}
        {foot(isRead || isFresh)}
      </fieldset>
      {undo && (
        <div className="card-undo" role="status">
          <span>{t.asks.sentSoon}</span>
          <button
            type="button"
            className="button"
            data-answer="undo"
            autoFocus
            onClick={() => {
              undo();
              body.current?.focus();
            }}
          >
            {t.common.undo}
          </button>
        </div>
      )}
    </article>
  );
}
