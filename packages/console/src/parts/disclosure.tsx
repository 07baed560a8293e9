import { type ReactNode, useState } from 'react';
import { ChevronIcon } from './icons.tsx';

/** Something that is there for those who want to see it; it costs nothing before. */
export function Disclosure({
  summary,
  children,
  peek = null,
  isOpenByItself = false,
}: {
  summary: ReactNode;
  children: ReactNode;
  /** What is seen of it while it is closed. */
  peek?: ReactNode;
  /** Until a reader has decided otherwise. */
  isOpenByItself?: boolean;
}) {
  const [choice, setChoice] = useState<'open' | 'closed'>();
  const isOpen = choice === undefined ? isOpenByItself : choice === 'open';
  return (
    <div className="disclosure">
      <button
        type="button"
        className="summary"
        aria-expanded={isOpen}
        onClick={() => setChoice(isOpen ? 'closed' : 'open')}
      >
        <ChevronIcon />
        {summary}
      </button>
      {isOpen ? <div className="disclosed">{children}</div> : peek}
    </div>
  );
}
