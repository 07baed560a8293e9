import type { ReactNode } from 'react';
import { ChevronIcon } from './icons.tsx';
import { useKept } from './kept-state.ts';

/** Something that is there for those who want to see it; it costs nothing before. */
export function Disclosure({
  summary,
  children,
  peek = null,
  isOpenByItself = false,
  name,
}: {
  summary: ReactNode;
  children: ReactNode;
  /** What is seen of it while it is closed. */
  peek?: ReactNode;
  /** Until a reader has decided otherwise. */
  isOpenByItself?: boolean;
  /** What a reader has decided is kept under it. */
  name?: string;
}) {
  const [choice, choose] = useKept(name);
  const isOpen = choice ?? isOpenByItself;
  return (
    <div className="disclosure">
      <button type="button" className="summary" aria-expanded={isOpen} onClick={() => choose(!isOpen)}>
        <ChevronIcon />
        {summary}
      </button>
      {isOpen ? <div className="disclosed">{children}</div> : peek}
    </div>
  );
}
